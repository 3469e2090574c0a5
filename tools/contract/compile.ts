import { type Charge, charges } from './charge.ts';
import { readSchemas, type Schemas } from './schemas.ts';
import { at, failing, point, type SpecFile, unpoint } from './spec-file.ts';
import type { Answer, Event, Operation, Schema } from './types.ts';
import { validators } from './validators.ts';

type Fields = Record<string, unknown>;

const METHODS = ['get', 'put', 'post', 'delete', 'head', 'patch', 'options'];

/** Operations and events of one spec, every schema read and checked. */
export interface Compiled {
  readonly operations: readonly Operation[];
  readonly events: readonly Event[];
  /** Every schema of the spec, used by an operation or not, by its pointer. */
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly charge: Charge;
  /** The schemas as read, for those who ask where a part of one stands. */
  readonly read: Schemas;
}

/**
 * Reads every operation, event and schema of a spec and resolves every reference.
 * @throws Trouble (usage) naming file and line of an unresolved reference, an invalid schema or a doubled operation id
 */
export function compileSpec(spec: SpecFile): Compiled {
  const fail = failing(spec);
  const read = readSchemas(spec, fail);
  const schemas = validators(read, fail);

  /** The object a reference object stands for, and where it really is. */
  const follow = (pointer: string): { value: Fields; pointer: string } => {
    const value = at(spec.root, pointer) as Fields | undefined;
    if (typeof value !== 'object' || value === null) return fail(pointer, 'a mapping is missing here');
    return typeof value.$ref === 'string' ? follow(unpoint(value.$ref).reduce<string>(point, '')) : { value, pointer };
  };
  /** The one media type of a body, with its schema. */
  const content = (value: Fields, pointer: string) => {
    const media = Object.keys((value.content as Fields | undefined) ?? {})[0];
    return {
      media,
      schema: media === undefined ? undefined : schemas.get(`${point(`${pointer}/content`, media)}/schema`),
    };
  };
  const answer = (status: number, given: string): Answer => {
    const { value, pointer } = follow(given);
    const headers = Object.keys((value.headers as Fields | undefined) ?? {}).map((name) => {
      const header = follow(point(`${pointer}/headers`, name));
      const required = header.value.required === true;
      return [
        name.toLowerCase(),
        { required, schema: schemas.get(`${header.pointer}/schema`), at: header.pointer },
      ] as const;
    });
    return { status, ...content(value, pointer), at: pointer, headers: new Map(headers) };
  };
  const request = (given: string): Operation['request'] => {
    const { value, pointer } = follow(given);
    const { media, schema } = content(value, pointer);
    if (media === undefined || schema === undefined) return fail(pointer, 'a body needs its media type and schema');
    return { media, required: value.required === true, schema };
  };

  const operations: Operation[] = [];
  for (const [path, item] of Object.entries((spec.root.paths as Fields | undefined) ?? {})) {
    for (const method of METHODS) {
      const operation = (item as Fields)[method] as Fields | undefined;
      if (operation === undefined) continue;
      const here = `${point('/paths', path)}/${method}`;
      if (typeof operation.operationId !== 'string') fail(here, 'an operation needs its operationId');
      if (operations.some(({ id }) => id === operation.operationId))
        fail(
          `${here}/operationId`,
          `operation ${operation.operationId} is described twice`,
          'give one of them another id',
        );
      const statuses = Object.keys((operation.responses as Fields | undefined) ?? {});
      const security = (operation.security ?? spec.root.security ?? []) as Fields[];
      operations.push({
        id: operation.operationId as string,
        api: spec.api,
        method: method.toUpperCase(),
        path,
        security: security.flatMap((one) => Object.keys(one)),
        request: operation.requestBody === undefined ? undefined : request(`${here}/requestBody`),
        answers: new Map(
          statuses.map((status) => [Number(status), answer(Number(status), `${here}/responses/${status}`)]),
        ),
        at: here,
      });
    }
  }
  const events = Object.entries((spec.root.webhooks as Fields | undefined) ?? {}).map(([name, item]): Event => {
    const here = `${point('/webhooks', name)}/post`;
    const body = (item as { post?: { requestBody?: Fields } }).post?.requestBody;
    const schema = body === undefined ? undefined : request(`${here}/requestBody`)?.schema;
    return { name, api: spec.api, schema, at: here };
  });
  return { operations, events, schemas, charge: charges(spec.root, read), read };
}
