/** Uuids that differ from one in their first digit, and in their last. */
export function uuidsBeside(uuid: string): readonly [first: string, last: string] {
  return [anotherDigit(uuid, /^./), anotherDigit(uuid, /.$/)];
}

/** A uuid whose letters are capitals where they are none, or else small. */
export function inOtherLetters(uuid: string): string {
  return uuid === uuid.toLowerCase() ? uuid.toUpperCase() : uuid.toLowerCase();
}

/** A uuid with another digit in one place. */
export function anotherDigit(uuid: string, place: RegExp): string {
  return uuid.replace(place, (digit) => (digit === '1' ? '2' : '1'));
}
