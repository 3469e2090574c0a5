import type { ChoiceTable, ChosenWays } from './chosen-ways.ts';
import type { CredentialSource } from './credential-source.ts';
import type { ActiveLies } from './decision.ts';
import type { SessionMeansTable } from './session-lie.ts';
import type { SandboxService, SandboxWorld } from './world.ts';

/** A line of a target file: the keys that lead to it, and its value; undefined takes the line out. */
export type TargetLine = readonly [path: readonly string[], value: unknown];

/** Things to try a service with, as `assay sandbox` prints them. */
export interface SampleList {
  /** Member of the printed JSON. */
  readonly name: string;
  readonly title: string;
  readonly entries: readonly object[];
  readonly rows: readonly (readonly [left: string, right: string])[];
}

/** Everything the sandbox has to know about one of its services. */
export interface ServiceOffer<Table extends ChoiceTable, Credentials extends object, Listener extends string> {
  readonly choices: Table;
  /** Choices that say most about a variation. */
  readonly tellingChoices: readonly (keyof Table & string)[];
  /** Where it listens: the name of the address, what it is of, and the path that the address ends in. */
  readonly listeners: readonly { readonly name: Listener; readonly title: string; readonly basePath: string }[];
  create(world: SandboxWorld<ChosenWays<Table>, Credentials>): SandboxService;
  issueCredentials(source: CredentialSource): Credentials;
  /** The credentials as handed out while lies are told; without it, as issued. */
  showCredentials?(activeLies: ActiveLies, credentials: Credentials): Credentials;
  /** The credentials to print; `save` puts one that is a file of its own there and gives its path. */
  printCredentials?(credentials: Credentials, save: (file: string, text: string) => string): object;
  /** Public keys (PEM) of those who sign, by consumer key. */
  publicKeys?(credentials: Credentials): readonly (readonly [string, string])[];
  readonly samples?: SampleList;
  /** How it tells what can be told in a session of a client's tests. */
  readonly sessionMeans: SessionMeansTable;
  /** A first request, as a command line. */
  tryLine(addresses: Readonly<Record<Listener, string>>, credentials: Credentials): string;
  /** Every line of a target file that the choices decide. */
  targetLines(choices: ChosenWays<Table>): readonly TargetLine[];
}

/** A service as the sandbox lists it, with its own types kept. */
export function offerService<
  const Table extends ChoiceTable,
  Credentials extends object,
  const Listener extends string,
>(offer: ServiceOffer<Table, Credentials, Listener>): ServiceOffer<Table, Credentials, Listener> {
  return offer;
}
