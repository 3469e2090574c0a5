/**
 * What stands for the placeholders of a path template, query included, in a request.
 * @returns undefined when the request is for something else
 */
export function matchPathTemplate(
  template: string,
  path: string,
  query: URLSearchParams,
): Readonly<Record<string, string>> | undefined {
  const [place, asked] = template.split('?');
  const names: string[] = [];
  const form = place!.replace(/[.]/g, '\\.').replace(/\$\{(\w+)\}/g, (_, name: string) => {
    names.push(name);
    return '([^/]+)';
  });
  const found = new RegExp(`^${form}$`).exec(path);
  if (found === null) return undefined;
  const values: Record<string, string> = {};
  for (const [i, name] of names.entries()) values[name] = found[i + 1]!;
  for (const [name, slot] of new URLSearchParams(asked)) {
    const value = query.get(name);
    const inside = /^\$\{(\w+)\}$/.exec(slot)?.[1];
    if (inside !== undefined && value !== null) values[inside] = value;
  }
  return values;
}
