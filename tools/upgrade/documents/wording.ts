/** A piece of a clause's text; marked where the other wording differs, loudest where a fact does. */
export interface TextPiece {
  readonly text: string;
  readonly mark?: 'word' | 'fact';
}

/** Two wordings of one clause held against each other. */
export interface ComparedWordings {
  readonly old: readonly TextPiece[];
  readonly new: readonly TextPiece[];
  /** `facts`: a figure, name, negation, duty or quantity differs; `words`: all of these are the same, in the same order. */
  readonly nature: 'facts' | 'words';
  /** Facts of one wording that the other has not, in reading order. */
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

interface Token {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Equal tokens have equal names. */
  readonly name: string;
  readonly isFact: boolean;
}

const TOKEN = /(?<![\p{L}\p{N}_])-\d[\d.,]*\d|(?<![\p{L}\p{N}_])-\d|[\p{L}\p{N}_]+(?:[.,'’-][\p{L}\p{N}_]+)*|\S/gu;
const PROSE = /^[.,;:!?()[\]"'“”‘’|–—]$/;

/** Words that turn, bind or bound a statement; those on one line say the same. */
const DECISIVE: readonly string[] = [
  'not no never none nor neither nobody nothing without cannot',
  'must shall required mandatory requires require needs',
  'should recommended',
  'may can might could optional optionally',
  'will',
  'only exactly',
  'all every each both always any',
  'most maximum max larger greater more above exceed exceeds longer',
  'least minimum min smaller less fewer below shorter',
  'before until',
  'after',
  'except unless',
  'unique',
];
const SENSES = new Map(
  DECISIVE.flatMap((line) => line.split(' ').map((word, _, all) => [word, `~${all[0]}`] as const)),
);
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Marks where two wordings of a clause differ, and says whether they state other facts. */
export function compareWordings(old: string, now: string): ComparedWordings {
  const [a, b] = [tokensOf(old), tokensOf(now)];
  const same = factsOf(a).join(' ') === factsOf(b).join(' ');
  const [keptA, keptB] = common(a, b);
  const [sameA, sameB] = sameWords(a, b, [keptA, keptB]);
  const mark = (kept: ReadonlySet<number>, unmarked: ReadonlySet<number>, tokens: readonly Token[]) => (i: number) =>
    unmarked.has(i) ? undefined : tokens[i]!.isFact && !same && !kept.has(i) ? 'fact' : 'word';
  return {
    old: piecesOf(old, a, mark(keptA, sameA, a)),
    new: piecesOf(now, b, mark(keptB, sameB, b)),
    nature: same ? 'words' : 'facts',
    gone: same ? [] : a.filter((one, i) => one.isFact && !keptA.has(i)).map(({ text }) => text),
    come: same ? [] : b.filter((one, i) => one.isFact && !keptB.has(i)).map(({ text }) => text),
  };
}

/** The facts of a text in reading order: figures, names of an interface, signs, and the words that turn, bind or bound. */
export function factsIn(text: string): string[] {
  return factsOf(tokensOf(text));
}

const factsOf = (tokens: readonly Token[]) => tokens.filter(({ isFact }) => isFact).map(({ name }) => name);

function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map(({ 0: word, index }) => {
    const lower = word.toLowerCase();
    const number = NUMBERS.indexOf(lower);
    const sense = SENSES.get(lower) ?? (/n['’]t$/.test(lower) ? SENSES.get('not') : undefined);
    const isName = /\d|_|[\p{L}\p{N}]\p{Lu}/u.test(word);
    const isSign = !/[\p{L}\p{N}]/u.test(word) && !PROSE.test(word);
    const name = sense ?? (number >= 0 ? String(number) : isName ? word : lower);
    return {
      text: word,
      from: index,
      to: index + word.length,
      name,
      isFact: sense !== undefined || number >= 0 || isName || isSign,
    };
  });
}

/** Indexes, in each list, of the tokens of a longest common sequence; facts count for more than the words around them. */
function common(a: readonly Token[], b: readonly Token[]): [Set<number>, Set<number>] {
  const width = b.length + 1;
  const best = new Float64Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const match = a[i]!.name === b[j]!.name ? best[(i + 1) * width + j + 1]! + (a[i]!.isFact ? 3 : 1) : 0;
      best[i * width + j] = Math.max(match, best[(i + 1) * width + j]!, best[i * width + j + 1]!);
    }
  const kept: [Set<number>, Set<number>] = [new Set(), new Set()];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const here = best[i * width + j]!;
    if (a[i]!.name === b[j]!.name && here === best[(i + 1) * width + j + 1]! + (a[i]!.isFact ? 3 : 1)) {
      kept[0].add(i);
      kept[1].add(j);
      i += 1;
      j += 1;
    } else if (here === best[(i + 1) * width + j]) i += 1;
    else j += 1;
  }
  return kept;
}

/** Of tokens that mean the same, those that are the same word: what is said in another one is marked, too. */
function sameWords(
  a: readonly Token[],
  b: readonly Token[],
  [keptA, keptB]: readonly [ReadonlySet<number>, ReadonlySet<number>],
): [Set<number>, Set<number>] {
  const others = [...keptB];
  const pairs = [...keptA]
    .map((i, at) => [i, others[at]!] as const)
    .filter(([i, j]) => a[i]!.text.toLowerCase() === b[j]!.text.toLowerCase());
  return [new Set(pairs.map(([i]) => i)), new Set(pairs.map(([, j]) => j))];
}

function piecesOf(text: string, tokens: readonly Token[], markOf: (i: number) => TextPiece['mark']): TextPiece[] {
  const pieces: { text: string; mark?: 'word' | 'fact' }[] = [];
  let from = 0;
  const add = (to: number, mark?: 'word' | 'fact') => {
    const last = pieces.at(-1);
    if (last && last.mark === mark) last.text += text.slice(from, to);
    else if (to > from) pieces.push({ text: text.slice(from, to), ...(mark ? { mark } : {}) });
    from = to;
  };
  tokens.forEach((token, i) => {
    const mark = markOf(i);
    // The blank between two marked words belongs to both.
    add(token.from, mark && pieces.at(-1)?.mark === mark ? mark : undefined);
    add(token.to, mark);
  });
  add(text.length);
  return pieces;
}
