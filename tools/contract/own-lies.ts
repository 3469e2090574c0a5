import type { OwnRegister, WireChange } from './types.ts';

/**
 * Parts names of lies into those that the sandbox tells itself and those about own rules, which are told at the wire.
 * @returns also what the sandbox does throughout to keep these rules
 */
export function partLies(
  { lies, sandbox }: Pick<OwnRegister, 'lies' | 'sandbox'>,
  names: readonly string[],
): { readonly lies: string[]; readonly wire: WireChange[] } {
  const own = lies.filter(({ name }) => names.includes(name));
  return {
    lies: names.filter((name) => !own.some((lie) => lie.name === name)),
    wire: [...sandbox, ...own.map(({ wire }) => wire)],
  };
}
