import type { ApiReply } from '#client';
import { type DocumentedOperation, projectContract } from '#contract';
import type { Recorder } from '#evidence';
import type { Target } from '#target';
import {
  BEARER_OPERATIONS,
  type BearerOperation,
  type BearerSending,
  OPERATIONS_LEFT_OUT,
  type RequestArrangement,
} from './bearer-operations.ts';
import type { IssuerPage } from './issuer-page.ts';
import type { GatewayRequestOptions } from './placed-order.ts';

/** What stands for the last path segment of an operation; `other` where the target file's path ends in none of them. */
export type PathSubject = 'requestor' | 'login' | 'client' | 'other';

interface RequestPlace {
  readonly subject: PathSubject;
  /** Whether the document shows the path. */
  readonly isPathShown: boolean;
  readonly method: string;
  /** Path below the base address, with `{name}` for its parameters. */
  readonly template: string;
}

/** A request that is right in every respect, ready to have one thing changed. */
export interface PreparedRequest extends RequestPlace {
  readonly operation: string;
  readonly options: GatewayRequestOptions & {
    readonly path: Readonly<Record<string, string | number>>;
    readonly token: string;
  };
}

/** Where an operation was found, and in words what came at its documented path. */
export interface OperationPlace {
  readonly place: 'documented path' | 'below a version' | 'nowhere';
  readonly path: string;
  readonly answer: string;
}

/** Segments that versions of this interface would have. */
const VERSIONS = ['v1', 'v1.0', '1.0', '1.0.0'];

/** Parameters of the contract's paths and of the target file's. */
const SUBJECTS: Readonly<Record<string, PathSubject>> = {
  requestorId: 'requestor',
  login: 'login',
  username: 'login',
  clientId: 'client',
};

/** What requests that are to be refused stand on, by operation: nothing happens to it, so that one of each will do for a target. */
const arrangedOnce = new WeakMap<RequestArrangement['target'], Map<string, Promise<BearerSending>>>();

/** Operations that were asked for although the target file says nothing of them, and whether they are served. */
const served = new WeakMap<RequestArrangement['target'], Map<string, Promise<boolean>>>();

/** Operations of the gateway that a bearer token opens, as the contract has them. */
export function listBearerOperations(): readonly DocumentedOperation[] {
  const all = [...projectContract().operations.values()];
  return all.filter(({ api, security }) => api === 'gateway' && security.includes('bearer'));
}

/** What {@link BearerRequests} are made of. */
interface RequestParts extends Omit<RequestArrangement, 'target' | 'sold'> {
  readonly target: Target;
  readonly recorder: Recorder;
  /** Whether each request is changed so that it is refused at the door, whatever it is about. */
  readonly areRefused: boolean;
}

/** One right request for every bearer operation that the target offers, so that a promise made for all is checked on all. */
export class BearerRequests {
  readonly #arranged: RequestArrangement;
  readonly #recorder: Recorder;
  readonly #areRefused: boolean;

  constructor({ target, recorder, areRefused, ...parts }: RequestParts) {
    const { gateway } = parts;
    this.#arranged = {
      ...parts,
      target: target.gateway!,
      sold: once(() => gateway.arrangeApproved('sale')),
    };
    this.#recorder = recorder;
    this.#areRefused = areRefused;
  }

  /** All of them, each made when it is its turn, so that what one shows does not hang on how another is arranged. */
  all(): AsyncIterable<PreparedRequest> {
    return this.#prepareEach(() => true);
  }

  /** Those whose path the document shows. */
  ofShownPath(): AsyncIterable<PreparedRequest> {
    return this.#prepareEach(({ isPathShown }) => isPathShown);
  }

  /** Those whose last path segment is of this kind. */
  ofSubject(subject: PathSubject): AsyncIterable<PreparedRequest> {
    return this.#prepareEach((place) => place.subject === subject);
  }

  /** What a customer's passing of a challenge leads to: the issuer's answer, ready to be forwarded. */
  async ofIssuer(operation: 'threeDSCRes' | 'threeDSPaRes', issuer: IssuerPage): Promise<PreparedRequest> {
    const { threeDS } = this.#arranged;
    const waiting = await threeDS.arrangeStep(operation === 'threeDSCRes' ? 'CREQ' : 'PAREQ');
    const body = threeDS.forwardedAnswer(operation, waiting, await issuer.obtainAnswer(waiting));
    return this.#complete(projectContract().operations.get(operation)!, { body });
  }

  /** Sends one, with something changed. An `authorization` takes the place of the token. */
  send(prepared: PreparedRequest, changes: GatewayRequestOptions = {}): Promise<ApiReply> {
    const { operation, method, template, options } = prepared;
    const { path, address, ...rest } = { ...options, ...changes };
    const url = this.#arranged.gateway.urlOf(template, {
      path: { ...options.path, ...path },
      ...(address === undefined ? {} : { address }),
    });
    return this.#arranged.gateway.sendRaw(method, url, rest, operation);
  }

  /** Looks where an operation is. Any documented answer proves its path, an error too; a 404, a 405 or a body of another make does not. */
  async locate(prepared: PreparedRequest): Promise<OperationPlace> {
    const { template: path } = prepared;
    const reply = await this.send(prepared);
    const answer = `status ${reply.status}${[404, 405].includes(reply.status) ? '' : ' with a body of another make'}`;
    if (isDocumented(reply)) return { place: 'documented path', path, answer };
    const { path: parameters, ...options } = prepared.options;
    for (const version of VERSIONS) {
      const url = this.#arranged.gateway.urlOf(`/${version}${path}`, { path: parameters });
      if (isDocumented(await this.#arranged.gateway.sendRaw(prepared.method, url, options)))
        return { place: 'below a version', path: `/${version}${path}`, answer };
    }
    return { place: 'nowhere', path, answer };
  }

  async *#prepareEach(isWanted: (place: RequestPlace) => boolean): AsyncIterable<PreparedRequest> {
    const unoffered = new Map<string, string[]>();
    for (const one of listBearerOperations()) {
      if (one.id in OPERATIONS_LEFT_OUT) continue;
      const { lines = {}, prepare } = preparationOf(one.id);
      const missing = Object.keys(lines).filter((line) => lines[line]!(this.#arranged.target) === undefined);
      if (missing.length > 0 && !(await this.#isServed(one)))
        unoffered.set(missing.join(' and '), [...(unoffered.get(missing.join(' and ')) ?? []), one.id]);
      else if (isWanted(this.#placeOf(one))) yield this.#complete(one, await this.#prepare(one.id, prepare));
    }
    for (const [lines, operations] of unoffered)
      this.#recorder.leaveOut(
        `${operations.join(', ')} could not be asked; ${lines} in the target file would enable it`,
      );
  }

  #prepare(operation: string, prepare: BearerOperation['prepare']): BearerSending | Promise<BearerSending> {
    if (!this.#areRefused) return prepare(this.#arranged);
    const known = arrangedOnce.get(this.#arranged.target) ?? new Map<string, Promise<BearerSending>>();
    arrangedOnce.set(this.#arranged.target, known);
    const made = known.get(operation) ?? prepare(this.#arranged);
    if (!(made instanceof Promise)) return made;
    known.set(operation, made);
    // What could not be arranged breaks this check alone.
    made.catch(() => known.delete(operation));
    return made;
  }

  /** Whether an operation that the target file says nothing of is served all the same; asked once of a target. */
  async #isServed(operation: DocumentedOperation): Promise<boolean> {
    const { isProbed = false, prepare } = preparationOf(operation.id);
    if (!isProbed) return false;
    const known = served.get(this.#arranged.target) ?? new Map<string, Promise<boolean>>();
    served.set(this.#arranged.target, known);
    const ask = async () => (await this.send(this.#complete(operation, await prepare(this.#arranged)))).status === 200;
    const answer = known.get(operation.id) ?? ask();
    known.set(operation.id, answer);
    return answer;
  }

  #complete(operation: DocumentedOperation, sending: BearerSending): PreparedRequest {
    const { id, token } = this.#arranged.target.requestors.main;
    const { template, ...options } = sending;
    const place = this.#placeOf(operation);
    return {
      ...place,
      operation: operation.id,
      template: template ?? place.template,
      options: { path: { requestorId: id }, token, ...options },
    };
  }

  #placeOf({ id, method, path }: DocumentedOperation): RequestPlace {
    const place = BEARER_OPERATIONS[id]?.place?.(this.#arranged.target);
    const template = place?.path ?? path;
    const last = /\{(\w+)\}$/.exec(template.replace(/\?.*/, ''))?.[1] ?? '';
    return {
      subject: SUBJECTS[last] ?? 'other',
      isPathShown: place === undefined,
      method: place?.method ?? method,
      template,
    };
  }
}

/** @throws Error for an operation that nobody has prepared a request for: a mistake in this project */
function preparationOf(operation: string): BearerOperation {
  const known = BEARER_OPERATIONS[operation];
  if (known === undefined) throw new Error(`no request is prepared for operation ${operation}`);
  return known;
}

/** Does something when it is first asked for, and no second time. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Whether an answer is one that the document has: taken, or refused with the body of an error. */
function isDocumented(reply: ApiReply): boolean {
  if (reply.status >= 200 && reply.status < 300) return true;
  if (![400, 401, 500].includes(reply.status)) return false;
  try {
    const { errorCode, errorMessage } = reply.object;
    return errorCode !== undefined && errorMessage !== undefined;
  } catch {
    return false;
  }
}
