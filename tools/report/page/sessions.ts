import type { RunResult } from '../types.ts';
import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, html } from './html.ts';
import { exchangeLink, renderSection, renderTable, ruleLink } from './marks.ts';

type Session = NonNullable<RunResult['sessions']>[number];
type Deed = Session['deeds'][number];

/** What a client did, in the words of a cell. */
const DONE: Readonly<Record<Deed['verdict'], string>> = {
  fail: 'did',
  warn: 'did',
  pass: 'did not',
  unseen: 'not seen',
};
const LOUDEST = ['fail', 'warn', 'pass', 'unseen'] as const;

/** Everything that was told or was to be, and what the client did under each: its loudest deed of a kind. */
interface ToldLie {
  readonly lie: Session;
  readonly sessions: readonly Session[];
  readonly deeds: readonly Deed[];
}

/** Draws what the client did under each lie, then session by session. Nothing where no session was told any. */
export function renderSessions({ run: { sessions } }: AuditView): Html | undefined {
  if (sessions === undefined) return undefined;
  const told = groupByLie(sessions);
  const columns = [...new Set(sessions.flatMap(({ deeds }) => deeds.map(({ deed }) => deed)))];
  const seen = columns.filter((name) =>
    sessions.some(({ deeds }) => deeds.some(({ deed, verdict }) => deed === name && verdict !== 'unseen')),
  );
  const never = columns.filter((name) => !seen.includes(name));
  return renderSection(
    'sessions',
    'What it did under each lie',
    html`${summariseSessions(sessions)} What a client did is told from what arrived at the sandbox alone. ${never.length > 0 && `Nothing was about these: ${never.join(', ')}.`}`,
    html`${renderTable(
      'Lie by what the client did',
      ['Told', 'Sessions', ...seen.map((name) => `${name}?`)],
      told.map((one) => matrixRow(one, seen)),
      'grid lies',
    )}<h3>Session by session</h3>${renderTable(
      'Sessions of the tests of the client',
      ['Session', 'Told', 'Exchanges', 'What it did', 'Rules'],
      sessions.flatMap((one) => (one.name === undefined ? [] : [sessionRow(one, one.name)])),
    )}`,
  );
}

/** How the client came through all that it was told, in a sentence or two. */
export function summariseSessions(sessions: readonly Session[]): string {
  const told = groupByLie(sessions).filter(({ sessions: own }) => own.some(wasTold));
  const untold = sessions.filter(({ name }) => name === undefined).length;
  const through = told.length - listHarm(sessions).length;
  const met = `The client met ${formatCount(told.length, 'lie')} in ${formatCount(sessions.filter(wasTold).length, 'session')} and came through ${through === told.length ? 'all' : through === 0 ? 'none' : through} of them.`;
  return untold === 0 ? met : `${met} ${formatCount(untold, 'lie was', 'lies were')} never told: more sessions would.`;
}

/** Each lie under which the client did harm, with what it did: `cut-off: paid twice, lost an order`. */
export function listHarm(sessions: readonly Session[]): string[] {
  return groupByLie(sessions).flatMap(({ lie, deeds }) => {
    const done = deeds.filter(isDone).map(({ deed }) => deed);
    return done.length === 0 ? [] : [`${lie.lie}: ${done.join(', ')}`];
  });
}

const isDone = ({ verdict }: Deed): boolean => verdict === 'fail' || verdict === 'warn';
/** A session in which what was told did not show is none under that lie. */
const wasTold = ({ name, met }: Session): boolean => name !== undefined && met !== false;

function groupByLie(sessions: readonly Session[]): ToldLie[] {
  return [...new Set(sessions.map(({ lie }) => lie))].map((name) => {
    const own = sessions.filter(({ lie }) => lie === name);
    const told = own.filter(wasTold);
    const names = [...new Set(told.flatMap(({ deeds }) => deeds.map(({ deed }) => deed)))];
    const deeds = names.map((deed) => {
      const all = told.flatMap((one) => one.deeds.filter((other) => other.deed === deed));
      return LOUDEST.map((verdict) => all.find((one) => one.verdict === verdict)).find((one) => one !== undefined)!;
    });
    return { lie: own[0]!, sessions: own.filter(({ name: session }) => session !== undefined), deeds };
  });
}

function matrixRow({ lie, sessions, deeds }: ToldLie, columns: readonly string[]): Html {
  const met = sessions.filter(wasTold).length;
  const count = sessions.length === 0 ? 'never told' : met === 0 ? 'did not show' : String(met);
  return html`<tr><th scope="row"><code>${lie.lie}</code>${!lie.gentle && html` <em class="level">no document permits it</em>`} <small>${lie.does}</small></th><td class="${met === 0 && 'unseen'}">${count}</td>${columns.map((name) => cell(deeds.find(({ deed }) => deed === name)))}</tr>`;
}

function cell(deed: Deed | undefined): Html {
  if (deed === undefined) return html`<td class="void"></td>`;
  return html`<td><span class="mark sign ${deed.verdict}">${DONE[deed.verdict]}</span>${deed.exchange !== undefined && html` ${exchangeLink(deed.exchange)}`}</td>`;
}

function sessionRow({ lie, met, exchanges, deeds, others }: Session, name: string): Html {
  const done = deeds.filter(isDone);
  const rules = [...new Set([...done.flatMap((one) => one.rules), ...others])];
  return html`<tr><th scope="row">${name}</th><td><code>${lie}</code>${met === false && html` <small>did not show</small>`}</td><td>${exchanges}</td><td>${done.length === 0 ? 'no harm' : done.map(({ deed }) => deed).join(', ')}</td><td>${rules.map((id) => html`${ruleLink(id)} `)}</td></tr>`;
}
