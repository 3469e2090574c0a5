import { appendPointer, referencePointer, valueAt } from '#json-pointer';
import { type Attribution, attributionFor } from './attribution.ts';
import { failForSpec, type SpecFile } from './spec-file.ts';
import { readSchemas, type SpecSchemas } from './spec-schemas.ts';
import type { DocumentedAnswer, DocumentedEvent, DocumentedOperation, SpecSchema } from './types.ts';
import { createValidators } from './validators.ts';

type Fields = Record<string, unknown>;

const METHODS = ['get', 'put', 'post', 'delete', 'head', 'patch', 'options'];

/** Operations and events of one spec, every schema read and checked. */
export interface CompiledSpec {
  readonly operations: readonly DocumentedOperation[];
  readonly events: readonly DocumentedEvent[];
  /** Every schema of the spec, used by an operation or not, by its pointer. */
  readonly schemas: ReadonlyMap<string, SpecSchema>;
  readonly attribution: Attribution;
  /** The schemas as read, for those who ask where a part of one stands. */
  readonly specSchemas: SpecSchemas;
}

/**
 * Reads every operation, event and schema of a spec and resolves every reference.
 * @throws Trouble (usage) naming file and line of an unresolved reference, an invalid schema or a doubled operation id
 */
export function compileSpec(spec: SpecFile): CompiledSpec {
  const fail = failForSpec(spec);
  const read = readSchemas(spec, fail);
  const schemas = createValidators(read, fail);

  /** The object a reference object stands for, and where it really is. */
  const follow = (pointer: string): { value: Fields; pointer: string } => {
    const value = valueAt(spec.root, pointer) as Fields | undefined;
    if (typeof value !== 'object' || value === null) return fail(pointer, 'a mapping is missing here');
    return typeof value.$ref === 'string'
      ? follow(referencePointer(value.$ref) ?? fail(pointer, `unresolved reference ${value.$ref}`))
      : { value, pointer };
  };
  /** The one media type of a body, with its schema. */
  const content = (value: Fields, pointer: string) => {
    const media = Object.keys((value.content as Fields | undefined) ?? {})[0];
    return {
      media,
      schema: media === undefined ? undefined : schemas.get(`${appendPointer(`${pointer}/content`, media)}/schema`),
    };
  };
  const answer = (status: number, given: string): DocumentedAnswer => {
    const { value, pointer } = follow(given);
    const headers = Object.keys((value.headers as Fields | undefined) ?? {}).map((name) => {
      const header = follow(appendPointer(`${pointer}/headers`, name));
      const required = header.value.required === true;
      return [
        name.toLowerCase(),
        { required, schema: schemas.get(`${header.pointer}/schema`), at: header.pointer },
      ] as const;
    });
    return { status, ...content(value, pointer), at: pointer, headers: new Map(headers) };
  };
  const request = (given: string): DocumentedOperation['request'] => {
    const { value, pointer } = follow(given);
    const { media, schema } = content(value, pointer);
    if (media === undefined || schema === undefined) return fail(pointer, 'a body needs its media type and schema');
    return { media, required: value.required === true, schema };
  };

  const operations: DocumentedOperation[] = [];
  for (const [path, item] of Object.entries((spec.root.paths as Fields | undefined) ?? {})) {
    for (const method of METHODS) {
      const operation = (item as Fields)[method] as Fields | undefined;
      if (operation === undefined) continue;
      const here = `${appendPointer('/paths', path)}/${method}`;
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
  const events = Object.entries((spec.root.webhooks as Fields | undefined) ?? {}).map(
    ([name, item]): DocumentedEvent => {
      const here = `${appendPointer('/webhooks', name)}/post`;
      const body = (item as { post?: { requestBody?: Fields } }).post?.requestBody;
      const schema = body === undefined ? undefined : request(`${here}/requestBody`)?.schema;
      return { name, api: spec.api, schema, at: here };
    },
  );
  return { operations, events, schemas, attribution: attributionFor(spec.root, read), specSchemas: read };
}
