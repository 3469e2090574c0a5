import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { loadKey, type SigningCredentials } from '#oauth';

const readKey = (name: string) => readFileSync(new URL(`../golden/${name}-test-key.pem`, import.meta.url));

/** The key of the golden vectors. Its private half is public, as that of the others: they protect nothing. */
const PEM = readKey('public');

/** Who signs in the laws. */
export const testSigner: SigningCredentials = { consumerKey: 'test-consumer', key: loadKey(PEM) };

/** The half that a server would know. */
export const testPublicKey = createPublicKey(PEM);

/** Somebody else under the same name, with a key of the same length. */
export const strangerSigner: SigningCredentials = { ...testSigner, key: loadKey(readKey('stranger')) };

/** The half of {@link strangerSigner}. */
export const strangerPublicKey = createPublicKey(strangerSigner.key);

/** As {@link testSigner}, with a key too short to be safe that signs in a fifth of the time: for laws about all but the signature's length. */
export const shortSigner: SigningCredentials = { ...testSigner, key: createPrivateKey(readKey('short')) };

/** The half of {@link shortSigner}. */
export const shortPublicKey = createPublicKey(shortSigner.key);
