/** A line of the draft that is live only when the variables it refers to are set. */
export function draftLine(env: ReadonlySet<string>, indent: number, text: string, why = ''): string {
  const names = [...text.matchAll(/env:(\w+)/g)].map(([, name]) => name!);
  const live = names.every((name) => env.has(name));
  return `${' '.repeat(indent)}${live ? '' : '# '}${text}${why === '' ? '' : ` # ${why}`}`;
}
