import { appendPointer } from '#json-pointer';

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
    const found = findPlaceholder(inner, placeholder, appendPointer(at, name));
    if (found !== undefined) return found;
  }
  return undefined;
}
