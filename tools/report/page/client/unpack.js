// The reverse of what the page generator did to pack the exchanges of quiet checks.
export function unpack({ rows, texts, columns }) {
  const values = columns.map((all) => all.map((column) => column.split('\n')));
  const next = texts.map(() => 0);
  const restore = (number) => {
    const row = next[number]++;
    let column = 0;
    return texts[number].replaceAll('\u0001', () => values[number][column++][row]);
  };
  return rows.map(([number, ...bodies]) => {
    const one = JSON.parse(restore(number));
    const sides = [one.request, one.response].filter((side) => side && side.body !== undefined);
    bodies.forEach((body, i) => {
      sides[i].body = restore(body);
    });
    return { violations: [], ...one, check: one.id.slice(0, one.id.lastIndexOf('.')) };
  });
}
