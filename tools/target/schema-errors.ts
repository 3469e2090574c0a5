import type { ErrorObject } from 'ajv/dist/2020.js';
import { locatePointer } from '#contract';
import { appendPointer, pointerTokens } from '#json-pointer';
import { suggestWord, Trouble } from '#trouble';

/**
 * One message about the first thing in a YAML file that does not fit its schema. Values are never repeated: one may be a secret.
 * @param errors of a validator made with `allErrors` and `verbose`; at least one
 * @param source name and text of the file, for the line
 * @param advice where no schema says better
 */
export function explainSchemaErrors(
  errors: readonly ErrorObject[],
  source: { readonly file: string; readonly text: string },
  advice: string,
): Trouble {
  // A misspelt key is also a missing one; the misspelling is what the user wants to hear of.
  const error = errors.find(({ keyword }) => keyword === 'additionalProperties') ?? errors[0]!;
  const { instancePath, keyword, parentSchema } = error;
  const params = error.params as {
    additionalProperty?: string;
    missingProperty?: string;
    allowedValues?: string[];
    type?: string | string[];
  };
  const schema = (parentSchema ?? {}) as { properties?: object; description?: string };
  const name = instancePath === '' ? 'the file' : pointerTokens(instancePath).join('.');
  const known = Object.keys(schema.properties ?? {});
  const say = (message: string, fix: string, pointer = instancePath) =>
    new Trouble('usage', message, { place: locatePointer(source, pointer), fix });
  if (params.additionalProperty !== undefined) {
    const { additionalProperty: extra } = params;
    return say(
      `unknown key ${extra}${instancePath === '' ? '' : ` in ${name}`}`,
      extra.startsWith('//')
        ? 'a comment begins with #'
        : suggestWord(extra, known) || `use one of ${known.join(', ')}`,
      appendPointer(instancePath, extra),
    );
  }
  if (params.missingProperty !== undefined) {
    const missing = (schema.properties as Record<string, { description?: string }> | undefined)?.[
      params.missingProperty
    ];
    return say(
      `${name} lacks ${params.missingProperty}`,
      `add ${params.missingProperty}:${missing?.description ? `  # ${missing.description}` : ''}`,
    );
  }
  if (params.allowedValues)
    return say(
      `${name} is none of the known values`,
      suggestWord(String(error.data), params.allowedValues) || `use one of ${params.allowedValues.join(', ')}`,
    );
  if (keyword === 'type' && params.type === 'string' && typeof error.data === 'number')
    return say(`${name} is read as a number`, 'put it in quotes');
  const [, variable] = keyword === 'pattern' ? (/^\$\{?(\w+)\}?$/.exec(String(error.data)) ?? []) : [];
  if (variable !== undefined)
    return say(`${name} is not a reference`, `write env:${variable} for an environment variable`);
  if (keyword === 'pattern' && /the secret itself/.test(schema.description ?? ''))
    return say(`${name} is not a reference`, 'write env:NAME or file:PATH; a target file never holds a secret itself');
  const wrong = keyword === 'pattern' ? 'does not have the right form' : error.message;
  return say(`${name} ${wrong}`, schema.description ?? advice);
}
