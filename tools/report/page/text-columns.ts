/** Stands in a text for a value that was taken out. */
const GAP = '\u0001';

/**
 * Takes texts apart: what they look like without their values is kept once, the values go into columns. Equal things come to
 * stand together, which is what makes them small. Made for JSON, where member names are not values; does no harm to other text.
 */
export class TextColumns {
  readonly texts: string[] = [];
  /** For each text, for each of its gaps, the values in the order they were added. */
  readonly columns: string[][][] = [];
  readonly #known = new Map<string, number>();
  readonly #shapes = new Map<string, number>();

  /**
   * @param shape a name for texts that look like this one, for {@link addSimilar}
   * @returns the number of the text without its values
   */
  add(text: string, shape?: string): number {
    const values: string[] = [];
    const bare = takeApart(text.includes(GAP) ? text.replaceAll(GAP, '\\u0001') : text, values);
    let number = this.#known.get(bare);
    if (number === undefined) {
      number = this.texts.push(bare) - 1;
      this.columns.push(values.map(() => []));
      this.#known.set(bare, number);
    }
    if (shape !== undefined) this.#shapes.set(shape, number);
    const columns = this.columns[number]!;
    for (let i = 0; i < values.length; i += 1) columns[i]!.push(values[i]!);
    return number;
  }

  /** Adds only the values of a text that looks like an earlier one; undefined when there was none. */
  addSimilar(shape: string, values: readonly (string | number)[]): number | undefined {
    const number = this.#shapes.get(shape);
    if (number === undefined) return undefined;
    const columns = this.columns[number]!;
    for (let i = 0; i < values.length; i += 1) {
      const value = values[i]!;
      columns[i]!.push(
        typeof value === 'number' ? String(value) : plain(value) ? value : JSON.stringify(value).slice(1, -1),
      );
    }
    return number;
  }
}

const plain = (text: string) => !/[^ !#-[\]-~]/.test(text);

/** Puts a gap for every string and number that is not a member name, and collects what stood there. */
function takeApart(text: string, values: string[]): string {
  let bare = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('"', at);
    bare += numbers(open < 0 ? text.slice(at) : text.slice(at, open), values);
    if (open < 0) return bare;
    let close = text.indexOf('"', open + 1);
    while (close > 0 && escaped(text, close)) close = text.indexOf('"', close + 1);
    if (close < 0) return bare + text.slice(open);
    const string = text.slice(open + 1, close);
    at = close + 1;
    if (text[at] === ':' || string.includes('\n')) bare += `"${string}"`;
    else {
      values.push(string);
      bare += `"${GAP}"`;
    }
  }
}

function numbers(between: string, values: string[]): string {
  if (!/\d/.test(between)) return between;
  return between.replace(/-?\d[\d.eE+-]*/g, (number) => {
    values.push(number);
    return GAP;
  });
}

function escaped(text: string, at: number): boolean {
  let from = at;
  while (text[from - 1] === '\\') from -= 1;
  return (at - from) % 2 === 1;
}
