import type { ExchangeHead } from '../journal-index.ts';
import { keptPictures } from '../kept-pictures.ts';
import type { PictureResult, RunResult } from '../types.ts';
import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, html } from './html.ts';
import { checkLink, renderSection } from './marks.ts';
import { renderPicture, renderPictureLink } from './pictures.ts';

const SHOWN = 10;
const STEPS = 24;
/** Letters of an address that fit between two lanes. */
const LONGEST_PATH = 24;
const LANES = { suite: 90, browser: 300, service: 510 } as const;

/** What several checks went through alike, and the one of them that is drawn. */
interface Course {
  readonly id: string;
  readonly title: string;
  readonly loud: boolean;
  readonly steps: readonly ExchangeHead[];
  readonly pictures: readonly PictureResult[];
  others: number;
}

/** Draws what went to and fro where a browser or a callback took part: one drawing for each different course. */
export function renderSequences(view: AuditView): Html {
  const courses = listCourses(view);
  if (courses.length === 0)
    return renderSection('sequences', 'Sequences', 'No browser and no callback took part in this run.', html``);
  const bytes = keptPictures(view.journal.pictures);
  const drawn = new Set<string>();
  const gallery = ({ pictures }: Course) =>
    pictures.length > 0 &&
    html`<div class="gallery">${pictures.map((one, i) => {
      if (drawn.has(one.file)) return renderPictureLink(one, i + 1);
      drawn.add(one.file);
      return renderPicture(one, bytes.get(one.file)!, i + 1);
    })}</div>`;
  return renderSection(
    'sequences',
    'Sequences',
    html`3-D Secure steps, hosted pages and callbacks as they really went, drawn from the exchanges.${view.run.pictures && ' Pictures are what the browser showed; fields, images and every numeral were covered before anything was written.'}${courses.length > SHOWN && ` ${SHOWN} of ${courses.length} different courses are drawn, those with findings first, then those with pictures.`}`,
    html`${courses
      .slice(0, SHOWN)
      .map(
        (course) =>
          html`<figure class="course"><figcaption>${checkLink(course.id)} ${course.title}${course.others > 0 && html` <span class="fine">and ${formatCount(course.others, 'other check')} went the same way</span>`}</figcaption><div class="scroll" tabindex="0" role="region" aria-label="Sequence of ${course.title}">${drawing(course)}</div>${gallery(course)}</figure>`,
      )}`,
  );
}

/** The different courses of a run, those with findings first, then those with the most pictures that none before has. */
function listCourses({ run, journal: shelf }: AuditView): Course[] {
  const picturesOf = (id: string) => (run.pictures ?? []).filter(({ check }) => check === id);
  const courses = new Map<string, Course>();
  const rank = ({ id, verdict }: RunResult['checks'][number]) =>
    (verdict === 'pass' ? 0 : 1000) + picturesOf(id).length;
  for (const check of [...run.checks].sort((a, b) => rank(b) - rank(a))) {
    const { id, title } = check;
    const steps = shelf.byCheck.get(id) ?? [];
    if (!steps.some(({ direction }) => direction !== 'out')) continue;
    const key = steps.map(({ direction, operation, status }) => `${direction} ${operation} ${status}`).join('\n');
    const known = courses.get(key);
    if (known) known.others += 1;
    else courses.set(key, { id, title, loud: check.verdict !== 'pass', steps, pictures: picturesOf(id), others: 0 });
  }
  return freshFirst([...courses.values()]);
}

/** Puts courses that show a picture for the first time before those that only repeat one. */
function freshFirst(courses: readonly Course[]): Course[] {
  const shown = new Set<string>();
  const isFresh = ({ loud, pictures }: Course) => {
    const fresh = pictures.filter(({ file }) => !shown.has(file));
    for (const { file } of fresh) shown.add(file);
    return loud || fresh.length > 0;
  };
  const [first, rest] = [[] as Course[], [] as Course[]];
  for (const course of courses) (isFresh(course) ? first : rest).push(course);
  return [...first, ...rest];
}

function drawing({ steps, pictures }: Pick<Course, 'steps' | 'pictures'>): Html {
  const shown = steps.slice(0, STEPS);
  const height = 58 + shown.length * 40 + (steps.length > STEPS ? 20 : 0);
  return html`<svg class="lanes" viewBox="0 0 600 ${height}" width="600" height="${height}" role="group" aria-label="${formatCount(steps.length, 'step')}: ${shown.map(({ operation, direction }) => operation ?? direction).join(', ')}">
${Object.entries(LANES).map(([name, x]) => html`<line class="lane" x1="${x}" y1="34" x2="${x}" y2="${height - 8}"/><text class="head" x="${x}" y="22" text-anchor="middle">${name}</text>`)}
${shown.map((step, i) => arrow(step, 62 + i * 40, pictures.findIndex(({ exchange }) => exchange === step.id) + 1))}
${steps.length > STEPS && html`<text x="300" y="${height - 10}" text-anchor="middle">and ${steps.length - STEPS} more</text>`}</svg>`;
}

/** @param picture number of the picture that was taken after it; 0 for none */
function arrow(
  { id, direction, operation, method, url, status, failure }: ExchangeHead,
  y: number,
  picture: number,
): Html {
  const [from, to] = {
    out: [LANES.suite, LANES.service],
    in: [LANES.service, LANES.suite],
    browser: [LANES.browser, LANES.service],
  }[direction] as [number, number];
  const way = to > from ? -7 : 7;
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/\?.*$/, '');
  const label = `${method} ${operation ?? (path.length > LONGEST_PATH ? `…${path.slice(1 - LONGEST_PATH)}` : path)}`;
  return html`<a href="#x-${id}" class="${direction}"><title>${id}</title><line x1="${from}" y1="${y}" x2="${to + way}" y2="${y}"/><path class="tip" d="M${to + way} ${y - 5} ${to} ${y} ${to + way} ${y + 5}z"/><text x="${(from + to) / 2}" y="${y - 6}" text-anchor="middle">${label}</text><text class="back" x="${(from + to) / 2}" y="${y + 13}" text-anchor="middle">${status !== undefined ? `answered ${status}` : (failure ?? 'no answer').slice(0, 50)}${picture > 0 && `, picture ${picture}`}</text></a>`;
}
