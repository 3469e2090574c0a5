import type { ChangeDirection, ChangeLevel } from './types.ts';

/** What a kind of change means for a client, whatever the values. */
export interface ChangeKind {
  readonly level: ChangeLevel;
  /** Absent for what has no direction. */
  readonly direction?: ChangeDirection;
  /** One sentence. */
  readonly why: string;
}

type Levels = readonly [request: ChangeLevel, response: ChangeLevel];

const NARROWS: Levels = ['breaking', 'safe'];
const WIDENS: Levels = ['safe', 'breaking'];
const WIDENS_A_LIST: Levels = ['safe', 'risky'];
const BREAKS: Levels = ['breaking', 'breaking'];
const UNCLEAR: Levels = ['unclear', 'unclear'];

/** What a level means in a direction; a kind's own words come before it. */
const CONSEQUENCES: Readonly<Record<ChangeDirection, Readonly<Record<ChangeLevel, string>>>> = {
  request: {
    breaking: 'what clients send today may be refused',
    risky: 'what clients send today may no longer have its effect',
    safe: 'what clients send today is still right',
    note: 'nothing that clients send changes',
    unclear: 'only bodies can show whether clients are affected',
  },
  response: {
    breaking: 'clients may receive what they were promised not to, or miss what they were promised',
    risky: 'clients that rely on what came so far may fail',
    safe: 'what comes still fits what clients expect',
    note: 'clients had to expect it',
    unclear: 'only bodies can show whether clients are affected',
  },
};

/** Kinds that exist in both directions: levels as request and as response, and what happened. */
const DIRECTED = {
  'type-narrowed': [NARROWS, 'Fewer types are allowed'],
  'type-widened': [WIDENS, 'More types are allowed'],
  'type-changed': [BREAKS, 'The type is another one'],
  'value-became-nullable': [WIDENS, 'The value may be null'],
  'value-became-not-nullable': [NARROWS, 'The value may no longer be null'],
  'value-refused': [['breaking', 'risky'], 'No value is allowed any more'],
  'value-accepted': [WIDENS, 'Values are allowed where none were'],
  'enum-value-added': [WIDENS_A_LIST, 'A closed list has more values'],
  'enum-value-removed': [NARROWS, 'A closed list has fewer values'],
  'enum-added': [NARROWS, 'Values are limited to a list'],
  'enum-removed': [WIDENS, 'Values are no longer limited to a list'],
  'enum-opened': [WIDENS_A_LIST, 'A closed list became an open one'],
  'enum-closed': [NARROWS, 'An open list became a closed one'],
  'open-value-added': [['safe', 'note'], 'An open list names more values'],
  'open-value-removed': [['risky', 'note'], 'An open list names fewer values'],
  'open-list-added': [['note', 'note'], 'An open list of values is named'],
  'open-list-removed': [['note', 'note'], 'The values are no longer named'],
  'minimum-tightened': [NARROWS, 'The least number is higher'],
  'minimum-loosened': [WIDENS, 'The least number is lower'],
  'maximum-tightened': [NARROWS, 'The greatest number is lower'],
  'maximum-loosened': [WIDENS, 'The greatest number is higher'],
  'min-length-tightened': [NARROWS, 'Texts must be longer'],
  'min-length-loosened': [WIDENS, 'Texts may be shorter'],
  'max-length-tightened': [NARROWS, 'Texts must be shorter'],
  'max-length-loosened': [WIDENS, 'Texts may be longer'],
  'min-items-tightened': [NARROWS, 'Arrays must have more elements'],
  'min-items-loosened': [WIDENS, 'Arrays may have fewer elements'],
  'max-items-tightened': [NARROWS, 'Arrays must have fewer elements'],
  'max-items-loosened': [WIDENS, 'Arrays may have more elements'],
  'min-properties-tightened': [NARROWS, 'Objects must have more fields'],
  'min-properties-loosened': [WIDENS, 'Objects may have fewer fields'],
  'max-properties-tightened': [NARROWS, 'Objects must have fewer fields'],
  'max-properties-loosened': [WIDENS, 'Objects may have more fields'],
  'min-contains-tightened': [NARROWS, 'More elements must match'],
  'min-contains-loosened': [WIDENS, 'Fewer elements must match'],
  'max-contains-tightened': [NARROWS, 'Fewer elements may match'],
  'max-contains-loosened': [WIDENS, 'More elements may match'],
  'multiple-of-tightened': [NARROWS, 'The step between numbers is coarser'],
  'multiple-of-loosened': [WIDENS, 'The step between numbers is finer'],
  'multiple-of-changed': [BREAKS, 'The step between numbers is another one'],
  'pattern-added': [NARROWS, 'Texts must match a pattern'],
  'pattern-removed': [WIDENS, 'Texts no longer match a pattern'],
  'pattern-changed': [UNCLEAR, 'The pattern is another one'],
  'format-narrowed': [NARROWS, 'The format allows less'],
  'format-widened': [WIDENS, 'The format allows more'],
  'format-changed': [BREAKS, 'The format is another one'],
  'content-encoding-changed': [BREAKS, 'The bytes in the text are encoded otherwise'],
  'content-media-type-changed': [BREAKS, 'The bytes in the text are of another media type'],
  'unique-items-required': [NARROWS, 'Elements must differ'],
  'unique-items-dropped': [WIDENS, 'Elements may repeat'],
  'default-changed': [['risky', 'note'], 'What holds when nothing is given is another value'],
  'optional-property-added': [['safe', 'safe'], 'An optional field is new'],
  'required-property-added': [NARROWS, 'A required field is new'],
  'optional-property-removed': [['risky', 'risky'], 'An optional field is gone'],
  'required-property-removed': [['risky', 'breaking'], 'A required field is gone'],
  'property-refused': [NARROWS, 'A field is gone from an object that takes no others'],
  'property-added-to-closed-object': [WIDENS_A_LIST, 'A field is new in an object that had no others'],
  'property-became-required': [NARROWS, 'The field must be there'],
  'property-became-optional': [WIDENS, 'The field may be left out'],
  'property-became-read-only': [['risky', 'safe'], 'The field is only read'],
  'property-left-read-only': [['safe', 'safe'], 'The field can be written'],
  'property-became-write-only': [['safe', 'breaking'], 'The field is only written'],
  'property-left-write-only': [['safe', 'safe'], 'The field can be read'],
  'additional-properties-refused': [NARROWS, 'Fields that are not listed are no longer allowed'],
  'additional-properties-allowed': [WIDENS_A_LIST, 'Fields that are not listed are allowed'],
  'additional-properties-constrained': [NARROWS, 'Fields that are not listed must fit a schema'],
  'additional-properties-unconstrained': [WIDENS, 'Fields that are not listed may hold anything'],
  'pattern-property-added': [UNCLEAR, 'Fields whose names match have a schema'],
  'pattern-property-removed': [UNCLEAR, 'Fields whose names match lost their schema'],
  'property-names-constrained': [NARROWS, 'Names of fields must fit a schema'],
  'property-names-unconstrained': [WIDENS, 'Names of fields may be anything'],
  'dependent-required-added': [NARROWS, 'One field makes another one required'],
  'dependent-required-removed': [WIDENS, 'One field no longer makes another one required'],
  'dependent-schemas-changed': [UNCLEAR, 'What a field demands of the rest is different'],
  'items-constrained': [NARROWS, 'Elements must fit a schema'],
  'items-unconstrained': [WIDENS, 'Elements may be anything'],
  'more-items-refused': [NARROWS, 'Elements beyond those listed are not allowed'],
  'more-items-allowed': [WIDENS, 'Elements beyond those listed are allowed'],
  'prefix-item-added': [UNCLEAR, 'An element at a fixed place has a schema'],
  'prefix-item-removed': [UNCLEAR, 'An element at a fixed place lost its schema'],
  'contains-added': [NARROWS, 'Some element must match'],
  'contains-removed': [WIDENS, 'No element has to match'],
  'condition-added': [NARROWS, 'A condition is new'],
  'condition-removed': [WIDENS, 'A condition is gone'],
  'condition-changed': [UNCLEAR, 'A condition demands something else'],
  'not-added': [NARROWS, 'Some values are excluded'],
  'not-removed': [WIDENS, 'Some values are no longer excluded'],
  'not-changed': [UNCLEAR, 'Other values are excluded'],
  'union-member-added': [WIDENS, 'There is one more alternative'],
  'union-member-removed': [NARROWS, 'There is one alternative less'],
  'union-added': [NARROWS, 'One of several alternatives must fit'],
  'union-removed': [WIDENS, 'Alternatives are no longer demanded'],
  'union-changed': [UNCLEAR, 'The alternatives cannot be told apart'],
  'union-kind-changed': [UNCLEAR, 'How many alternatives may fit at once is different'],
  'discriminator-property-changed': [BREAKS, 'Alternatives are told apart by another field'],
  'discriminator-mapping-changed': [['risky', 'risky'], 'A value stands for another alternative'],
  'discriminator-added': [['note', 'note'], 'Alternatives are told apart by a field'],
  'discriminator-removed': [['risky', 'risky'], 'No field tells the alternatives apart'],
  'required-parameter-added': [NARROWS, 'A required parameter is new'],
  'optional-parameter-added': [['safe', 'safe'], 'An optional parameter is new'],
  'parameter-removed': [['risky', 'breaking'], 'A parameter is gone'],
  'parameter-became-required': [NARROWS, 'The parameter must be there'],
  'parameter-became-optional': [WIDENS, 'The parameter may be left out'],
  'parameter-moved': [BREAKS, 'The parameter stands somewhere else'],
  'parameter-style-changed': [BREAKS, 'The parameter is written otherwise'],
  'body-became-required': [NARROWS, 'The body must be there'],
  'body-became-optional': [WIDENS, 'The body may be left out'],
  'required-body-added': [NARROWS, 'A required body is new'],
  'optional-body-added': [['safe', 'safe'], 'A body is new'],
  'body-removed': [['risky', 'breaking'], 'The body is gone'],
  'media-type-added': [['safe', 'safe'], 'One more media type is offered'],
  'media-type-removed': [BREAKS, 'A media type is gone'],
  'encoding-changed': [['risky', 'risky'], 'A part of the body is encoded otherwise'],
  'success-status-added': [WIDENS_A_LIST, 'Success has one more status'],
  'success-status-removed': [BREAKS, 'A status of success is gone'],
  'error-status-added': [['safe', 'note'], 'A failure has one more status'],
  'error-status-removed': [['risky', 'note'], 'A status of failure is gone'],
  'status-range-narrowed': [NARROWS, 'A range of statuses is narrower'],
  'status-range-widened': [WIDENS_A_LIST, 'A range of statuses is wider'],
  'required-header-added': [NARROWS, 'A required header is new'],
  'optional-header-added': [['safe', 'safe'], 'An optional header is new'],
  'required-header-removed': [['risky', 'breaking'], 'A required header is gone'],
  'optional-header-removed': [['risky', 'risky'], 'An optional header is gone'],
  'header-became-required': [NARROWS, 'The header must be there'],
  'header-became-optional': [WIDENS, 'The header may be left out'],
} as const satisfies Record<string, readonly [Levels, string]>;

/** Kinds without a direction. */
const UNDIRECTED = {
  'path-added': ['safe', 'Nobody calls a path that did not exist.'],
  'path-removed': ['breaking', 'Whoever calls an operation of this path fails.'],
  'operation-added': ['safe', 'Nobody calls an operation that did not exist.'],
  'operation-removed': ['breaking', 'Whoever calls the operation fails.'],
  'operation-moved': ['breaking', 'The operation answers at another method or path only.'],
  'operation-id-renamed': ['note', 'Only generated code and our own names follow operation ids.'],
  'webhook-added': ['note', 'A receiver may get messages it does not know yet.'],
  'webhook-removed': ['breaking', 'Whoever waits for the message waits in vain.'],
  'callback-added': ['note', 'A receiver may get messages it does not know yet.'],
  'callback-removed': ['breaking', 'Whoever waits for the message waits in vain.'],
  'element-deprecated': ['note', 'It still works and is going to be removed.'],
  'element-undeprecated': ['note', 'It is no longer meant to be removed.'],
  'removal-date-set': ['note', 'From that day on it may be absent.'],
  'removal-date-moved-up': ['risky', 'There is less time to do without it than was announced.'],
  'removal-date-moved-back': ['note', 'There is more time to do without it than was announced.'],
  'removal-date-unreadable': ['risky', 'Nobody can tell from when it may be absent.'],
  'stability-lowered': ['risky', 'It is promised to stay as it is for less long than before.'],
  'stability-raised': ['note', 'It is promised to stay as it is for longer than before.'],
  'removal-date-dropped': ['note', 'No day is announced any more.'],
  'description-changed': ['note', 'Words changed; read whether their meaning did.'],
  'links-changed': ['note', 'Links are hints; no message changes.'],
  'server-added': ['safe', 'Clients go on using the address they know.'],
  'server-removed': ['risky', 'Clients that use this address may fail.'],
  'security-required': ['breaking', 'Requests without credentials are refused.'],
  'security-dropped': ['safe', 'Requests with credentials are still right.'],
  'security-changed': ['breaking', 'The credentials that clients send today are not the ones demanded.'],
  'security-alternative-added': ['safe', 'There is one more way to prove who calls.'],
  'security-alternative-removed': ['breaking', 'Clients that prove who they are in this way are refused.'],
  'security-scope-added': ['breaking', 'Tokens without the scope are refused.'],
  'security-scope-removed': ['safe', 'Tokens with the scope are still right.'],
  'security-scheme-changed': ['breaking', 'Credentials travel otherwise than clients send them.'],
  'security-flow-changed': ['risky', 'Tokens are fetched otherwise than clients do.'],
  'webhook-security-changed': ['risky', 'A receiver that checks who delivers may refuse messages or take false ones.'],
  'version-changed': ['note', 'The description says that it is another one.'],
  'rule-added': ['note', 'One more promise can be judged.'],
  'rule-removed': ['risky', 'A promise that clients may rely on is gone.'],
  'rule-facts-changed': [
    'unclear',
    'A promise that binds names other figures, codes or duties; only a person can tell what that means.',
  ],
  'rule-text-changed': ['note', 'A promise is worded otherwise; read whether its meaning changed.'],
  'rule-level-changed': ['risky', 'A promise is more or less binding than it was.'],
  'rule-retired': ['risky', 'A promise is no longer kept up.'],
  'hole-added': ['note', 'Something is left open that was not.'],
  'hole-removed': ['note', 'Something is no longer left open.'],
} as const satisfies Record<string, readonly [ChangeLevel, string]>;

/** A kind that exists in both directions, without the direction. */
export type DirectedKind = keyof typeof DIRECTED;

/** A kind without a direction. */
export type UndirectedKind = keyof typeof UNDIRECTED;

/** A combination that never comes about: the change cannot be seen in that direction. */
const IMPOSSIBLE: readonly string[] = [
  'request-property-became-write-only',
  'request-property-left-write-only',
  'request-property-added-to-closed-object',
  'response-property-became-read-only',
  'response-property-left-read-only',
  'response-property-refused',
];

function registry(): ReadonlyMap<string, ChangeKind> {
  const kinds = new Map<string, ChangeKind>();
  for (const [name, [levels, what]] of Object.entries(DIRECTED)) {
    (['request', 'response'] as const).forEach((direction, i) => {
      const level = levels[i]!;
      kinds.set(`${direction}-${name}`, { level, direction, why: `${what}: ${CONSEQUENCES[direction][level]}.` });
    });
  }
  for (const id of IMPOSSIBLE) kinds.delete(id);
  for (const [name, [level, why]] of Object.entries(UNDIRECTED)) kinds.set(name, { level, why });
  return kinds;
}

/** Every kind of change, by id. */
export const CHANGE_KINDS: ReadonlyMap<string, ChangeKind> = registry();

/** The level and meaning of a kind; the id is one of the registry, or it is our own mistake. */
export function kindOf(id: string): ChangeKind {
  const kind = CHANGE_KINDS.get(id);
  if (!kind) throw new Error(`no kind of change is called ${id}`);
  return kind;
}
