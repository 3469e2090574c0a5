import type { APIS, Api } from '#apis';
import type { CommonTarget } from './types.ts';
import type { WrittenTargetFile } from './written-target.generated.ts';

/** The section of a service as a target file has it. */
export type WrittenSection<Name extends Api> = NonNullable<WrittenTargetFile[Name]>;

/** What a member of a request or an answer holds: a verification code, a card number, a stored card or a token, or several in one text. */
export type SecretMember = 'code' | 'card' | 'reference' | 'text';

/** Why a check is skipped that needs what a target does not have. */
export type LackReason = 'capability' | 'credentials' | 'card' | 'browser' | 'cost' | 'service';

/** How a target file offers a need. */
export interface NeedOffer<Own> {
  readonly code: LackReason;
  /** What the target has, as the end of "the target offers no …". */
  readonly what: string;
  /** Lines of the target file, as paths; all of them are needed. */
  readonly lines: readonly string[];
  /** Whether a resolved target has them: its section of this service, when it has one, and the rest. */
  readonly offered: (own: Own | undefined, common: CommonTarget) => unknown;
}

/** How a target file offers each need of a service. */
export type ServiceNeeds<Name extends Api, Own> = Readonly<
  Record<Extract<(typeof APIS)[number], { name: Name }>['needs'][number], NeedOffer<Own>>
>;

/** Placeholders by name: the type of the value, what it means, and where it is filled. */
export type PlaceholderTable = Readonly<
  Record<string, { readonly type: string; readonly means: string; readonly in: string }>
>;

/** What a draft of a section can go by. */
export interface SectionSettings {
  /** Where the service is; undefined when nobody said. */
  readonly address: string | undefined;
  /** Whether the section is drafted though nobody said where the service is. */
  readonly wanted: boolean;
  /** Names of environment variables that are set. */
  readonly env: ReadonlySet<string>;
  /** Path of a private key beside the file to write. */
  readonly key: string | undefined;
}

/** Everything a target file has to know about one service: its section of the file, from text to a part of the Target. */
export interface TargetService<Name extends Api, Own> {
  readonly api: Name;
  /** The section complete, with its defaults; what comes in fits `targets/target.schema.json`. */
  resolve(written: WrittenSection<Name>): Own;
  /** Every address of it with its pointer in the file. */
  listAddresses(own: Own): readonly (readonly [pointer: string, address: string | undefined])[];
  /** Card numbers in the section, as written or resolved. */
  listCards(section: Own | WrittenSection<Name>): readonly string[];
  /** Request templates and what else of the section tells of members of bodies. */
  wireOf(own: Own): unknown;
  /** Where members of bodies and headers hold a secret. */
  listSecretMembers(own: Own): readonly (readonly [where: string | undefined, holds: SecretMember])[];
  /** Placeholders that a secret fills. */
  readonly secretPlaceholders: Readonly<Record<string, SecretMember>>;
  /** Keys whose values are secret. */
  readonly secretKeys: readonly string[];
  /** Those of them whose file may be binary. */
  readonly binaryKeys: readonly string[];
  readonly needs: Readonly<Record<string, NeedOffer<Own>>>;
  readonly placeholders: PlaceholderTable;
  /** Environment variables that a draft looks for. */
  readonly draftVariables: readonly string[];
  /** Lines of a drafted target file; a section that is not wanted stands as a comment or not at all. */
  draft(settings: SectionSettings): readonly string[];
  /** An address that a target file can take when nobody has said one. */
  readonly exampleAddress: string;
  /** The base address that a user meant. */
  completeAddress(address: string): Promise<string>;
}
