const FIELDS = 23;
const TYPES = [
  { type: 'string', maxLength: 200 },
  { type: 'integer', minimum: 0 },
  { type: 'string', enum: ['open', 'closed', 'held'] },
  { type: 'array', items: { type: 'string', format: 'uuid' } },
  { type: 'number', multipleOf: 0.01 },
];

/** A made-up description of so many operations (1,000 make 11 MB) and its successor, in which every twentieth operation and a shared schema changed. */
export function describePair(operations: number): readonly [object, object] {
  return [describe(operations, false), describe(operations, true)];
}

/** A field of a body, whose words make the file as wordy as real ones are. */
function fieldOf(index: number, operation: number): object {
  return {
    ...TYPES[(index + operation) % TYPES.length],
    description: `Field ${index} of body ${operation}: what it holds, who fills it in, when it may be left out, and where else it shows up.`,
  };
}

function bodyOf(operation: number, changed: boolean): object {
  const properties = Object.fromEntries(
    Array.from({ length: FIELDS }, (_, i) => [`field_${i}`, fieldOf(i, operation)] as const).filter(
      ([name]) => !(changed && name === 'field_22'),
    ),
  );
  const all = { ...properties, shared: { $ref: `#/components/schemas/Shared${operation % 50}` } };
  return {
    type: 'object',
    required: changed ? ['field_0', 'field_1', 'field_2'] : ['field_0', 'field_1'],
    properties: all,
  };
}

/** One side of the pair. */
function describe(operations: number, isNew: boolean): object {
  const paths: Record<string, object> = {};
  const schemas: Record<string, object> = {};
  for (let i = 0; i < 50; i += 1)
    schemas[`Shared${i}`] = {
      type: 'object',
      properties: {
        kind: { enum: isNew && i === 7 ? ['a', 'b', 'c'] : ['a', 'b'] },
        next: { $ref: `#/components/schemas/Shared${(i + 1) % 50}` },
      },
    };
  for (let i = 0; i < operations; i += 1) {
    const changed = isNew && i % 20 === 3;
    schemas[`Body${i}`] = bodyOf(i, changed);
    schemas[`Answer${i}`] = bodyOf(i + 1, changed);
    const content = (name: string) => ({
      'application/json': { schema: { $ref: `#/components/schemas/${name}${i}` } },
    });
    paths[`/things/${i}/{id}`] = {
      post: {
        operationId: `makeThing${i}`,
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: changed ? 'string' : 'integer' } }],
        requestBody: { required: true, content: content('Body') },
        responses: { 200: { description: 'Made.', content: content('Answer') }, 400: { description: 'Refused.' } },
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Large', version: isNew ? '2.0.0' : '1.0.0' },
    paths,
    components: { schemas },
  };
}
