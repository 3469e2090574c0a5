import { pageStyle } from './assets.ts';
import { formatCount, type Html, html } from './html.ts';
import { renderSection } from './marks.ts';
import { renderFrame } from './page-frame.ts';

/** What became of one mutant of the contract. */
export interface MutantOutcome {
  readonly id: string;
  /** Operation, or event. */
  readonly operation: string;
  /** Absent for an event. */
  readonly status?: number;
  readonly place: string;
  readonly operator: string;
  readonly fate: 'killed' | 'killed elsewhere' | 'survived' | 'permitted' | 'not reached';
  /** Rules that turned red with it. */
  readonly rules: readonly string[];
  /** Checks that were run against it, in order. */
  readonly tried: readonly string[];
  /** Those of them that could not be carried to their end. */
  readonly broken: number;
  /** Why the documents allow it. */
  readonly because?: string;
  /** What a check would have to do to see it. */
  readonly open?: string;
  /** Of one that was not reached: what never came. */
  readonly lack?: string;
}

const FATES = ['killed', 'killed elsewhere', 'survived', 'permitted', 'not reached'] as const;
const CELL = 26;
const ROW = 20;
const LEFT = 190;
const TOP = 104;

/** Draws what became of the mutants on a page of its own: a matrix of operations by operators, then every one that stayed green. */
export function renderMutantPage(outcomes: readonly MutantOutcome[]): string {
  const count = (fate: MutantOutcome['fate']) => outcomes.filter((one) => one.fate === fate).length;
  const [right, elsewhere, survived] = [count('killed'), count('killed elsewhere'), count('survived')];
  const judged = right + elsewhere + survived;
  const headline = `${right + elsewhere} of ${formatCount(judged, 'mutant')} killed`;
  const list = (fate: MutantOutcome['fate']) => byOperation(outcomes.filter((one) => one.fate === fate));
  return renderFrame({
    title: headline,
    style: pageStyle,
    skip: { to: 'numbers', text: 'Skip to the numbers' },
    head: html`<header class="masthead">
<p class="brand"><b>Assay</b> mutants of the contract</p>
<div class="verdict ${survived === 0 && judged > 0 ? 'kept' : 'incomplete'}"><h1>${headline}</h1><p>Each mutant changes one thing that the embedded sandbox sends; checks that meet the place run until one turns red. This page says nothing about a real service.</p></div>
</header>`,
    sections: (
      [
        ['numbers', 'Numbers', 'How the mutants ended.', numbers(outcomes)],
        [
          'matrix',
          'Operations by operators',
          'A square is full where every mutant was killed, crossed where some survived, missing where none was judged.',
          matrix(outcomes),
        ],
        ['survived', 'Survived', 'No check that met the place turned red.', list('survived')],
        ['elsewhere', 'Killed elsewhere', 'Red, but at a rule that is not about the place.', list('killed elsewhere')],
        ['permitted', 'Permitted', 'The documents allow them.', permitted(outcomes)],
        [
          'unreached',
          'Not reached',
          'No check of an honest run met the place, or nothing there could change.',
          unreached(outcomes),
        ],
      ] as const
    ).map(([id, name, lead, content]) => ({ id, name, drawn: renderSection(id, name, lead, content) })),
    footer: html`Drawn by Assay from <a href="mutants.json">mutants.json</a>.`,
  });
}

function numbers(outcomes: readonly MutantOutcome[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Numbers"><table><thead><tr><th scope="col">Fate</th><th scope="col" class="n">Mutants</th></tr></thead><tbody>${FATES.map(
    (fate) =>
      html`<tr><th scope="row">${fate}</th><td class="n">${outcomes.filter((one) => one.fate === fate).length}</td></tr>`,
  )}</tbody></table></div>`;
}

function matrix(outcomes: readonly MutantOutcome[]): Html {
  const operators = [...new Set(outcomes.map(operatorOf))].sort();
  const operations = [...new Set(outcomes.map(({ operation }) => operation))];
  const cells = new Map<string, { judged: number; survived: number }>();
  for (const one of outcomes) {
    if (one.fate === 'permitted' || one.fate === 'not reached') continue;
    const key = `${one.operation}\n${operatorOf(one)}`;
    const cell = cells.get(key) ?? { judged: 0, survived: 0 };
    cells.set(key, { judged: cell.judged + 1, survived: cell.survived + Number(one.fate === 'survived') });
  }
  const width = LEFT + operators.length * CELL + 60;
  const height = TOP + operations.length * ROW + 4;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Operations by operators"><svg class="matrix" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${operations.length} operations by ${operators.length} operators">${operators.map(
    (name, i) => html`<text transform="translate(${LEFT + i * CELL + 12} ${TOP - 8}) rotate(-50)">${name}</text>`,
  )}${operations.map((operation, row) => {
    const y = TOP + row * ROW;
    return html`<text x="0" y="${y + 14}">${operation}</text>${operators.map((name, i) => {
      const cell = cells.get(`${operation}\n${name}`);
      const x = LEFT + i * CELL + 4;
      if (cell === undefined) return html``;
      const kind = cell.survived === 0 ? 'caught' : 'missed';
      const label = `${operation}, ${name}: ${cell.judged - cell.survived} of ${cell.judged} killed`;
      return html`<g><title>${label}</title><path class="${kind}" d="M${x} ${y + 3}h14v14h-14z${cell.survived === 0 ? '' : `M${x} ${y + 3}l14 14m0 -14l-14 14`}"/></g>`;
    })}`;
  })}</svg></div>`;
}

function byOperation(outcomes: readonly MutantOutcome[]): Html {
  if (outcomes.length === 0) return html`<p>None.</p>`;
  const operations = [...new Set(outcomes.map(({ operation }) => operation))];
  return html`${operations.map((operation) => {
    const own = outcomes.filter((one) => one.operation === operation);
    return html`<details class="hole"><summary><code class="id">${operation}</code><span class="promise">${[...new Set(own.map(({ place }) => place))].slice(0, 6).join(', ')}</span><span class="n">${formatCount(own.length, 'mutant')}</span></summary><div class="inside"><ul>${own.map(
      ({ id, rules, tried, broken, open }) =>
        html`<li><code>${id}</code>${rules.length > 0 && html` ${rules.join(', ')}`} <span class="fine">${formatCount(tried.length, 'check')}${broken > 0 && `, ${broken} could not be carried out`}${open !== undefined && html`; ${open}`}</span></li>`,
    )}</ul></div></details>
`;
  })}`;
}

function permitted(outcomes: readonly MutantOutcome[]): Html {
  return byReason(outcomes, ({ because }) => because);
}

function unreached(outcomes: readonly MutantOutcome[]): Html {
  return byReason(outcomes, ({ lack }) => lack);
}

function byReason(outcomes: readonly MutantOutcome[], reasonOf: (one: MutantOutcome) => string | undefined): Html {
  const reasons = [...new Set(outcomes.flatMap((one) => reasonOf(one) ?? []))];
  if (reasons.length === 0) return html`<p>None.</p>`;
  return html`${reasons.map((reason) => {
    const own = outcomes.filter((one) => reasonOf(one) === reason);
    return html`<details class="hole"><summary><span class="promise">${reason}</span><span class="n">${formatCount(own.length, 'mutant')}</span></summary><div class="inside"><ul>${own.map(({ id }) => html`<li><code>${id}</code></li>`)}</ul></div></details>
`;
  })}`;
}

/** The operator without the status it takes. */
function operatorOf({ operator }: MutantOutcome): string {
  return operator.replace(/^status \d+$/, 'another status');
}
