/** The value at a JSON Pointer; undefined where there is none. */
export function lookUpPointer(value: unknown, pointer: string): unknown {
  let found = value;
  for (const name of pointer.split('/').slice(1)) found = (found as Record<string, unknown> | null | undefined)?.[name];
  return found;
}

/** A value put at a JSON Pointer, with the objects and arrays that lead there. */
export function putAtPointer(target: unknown, pointer: string, value: unknown): unknown {
  const [, name, ...rest] = pointer.split('/');
  if (name === undefined) return value;
  const list = target === undefined ? /^\d+$/.test(name) : Array.isArray(target);
  const made = (list ? [...((target as unknown[]) ?? [])] : { ...(target as object) }) as Record<string, unknown>;
  made[name] = putAtPointer(made[name], rest.map((one) => `/${one}`).join(''), value);
  return made;
}

/** Where in a template a placeholder stands, and what stands around it. */
export function findPlaceholder(
  template: unknown,
  placeholder: string,
  at = '',
): { at: string; form: RegExp } | undefined {
  if (typeof template === 'string') {
    const [before, after] = template.split(new RegExp(`\\$\\{${placeholder}(?::\\w+)?\\}`));
    if (after === undefined) return undefined;
    const plain = (text: string) =>
      text
        .replace(/\$\{[^}]+\}/g, '\0')
        .replace(/[/;.-]/g, '\\$&')
        .replaceAll('\0', '.*?');
    return { at, form: new RegExp(`^${plain(before!)}(.*?)${plain(after)}$`) };
  }
  if (typeof template !== 'object' || template === null) return undefined;
  for (const [name, inner] of Object.entries(template)) {
    const found = findPlaceholder(inner, placeholder, `${at}/${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
