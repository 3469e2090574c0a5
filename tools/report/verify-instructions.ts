/** What `VERIFY.txt` needs to know. */
export interface SigningFacts {
  readonly run: string;
  /** SHA-256 fingerprint of the signer's certificate, with colons. */
  readonly fingerprint: string;
  readonly pinned: boolean;
  /** Whether an authority stamped the time. */
  readonly stamped?: boolean;
  /** To the second. */
  readonly signedAt: Date;
}

/** How anybody can check a run folder with OpenSSL alone, and with this suite. */
export function writeVerifyInstructions({ run, fingerprint, pinned, signedAt, stamped = false }: SigningFacts): string {
  const origin = pinned
    ? [
        'The certificate is the one its owner publishes. Get it from them, not from this folder, and call it ../pinned.pem.',
      ]
    : [
        'UNPINNED, INTEGRITY ONLY. The certificate was made for this run alone. The signature shows that nothing in this',
        'folder changed since it was signed. It does not show who signed: whoever can replace the folder can replace the',
        'certificate. Only a fingerprint that reached you another way (a log of the run, a message) tells the two apart.',
        '',
        'Take the certificate out of the signature and call it ../pinned.pem:',
        '',
        '    openssl pkcs7 -inform DER -in SHA256SUMS.p7s -print_certs -out ../pinned.pem',
      ];
  return `${[
    `How to verify run ${run}`,
    '',
    'Inside this folder, with OpenSSL 1.1.1 or later. Each step must succeed.',
    '',
    '1. The certificate.',
    '',
    ...origin,
    '',
    '    openssl x509 -in ../pinned.pem -noout -fingerprint -sha256',
    '',
    'must print',
    '',
    `    ${fingerprint}`,
    '',
    '2. The signature over SHA256SUMS, by that certificate and no other.',
    '',
    '    openssl cms -verify -binary -inform DER -in SHA256SUMS.p7s -content SHA256SUMS \\',
    '      -nointern -certfile ../pinned.pem -CAfile ../pinned.pem -no-CApath -partial_chain -purpose any \\',
    `      -attime ${Math.floor(signedAt.getTime() / 1000)} -out /dev/null`,
    '',
    'It says that the verification was successful. -binary keeps line ends as they are; -nointern with -certfile takes',
    'the signer from ../pinned.pem and not from the signature; -attime holds the certificate against the time of signing,',
    `${signedAt.toISOString().slice(0, 19)}Z by the word of the signer, so that it may have expired since. The digest must be sha256 in every line of`,
    '',
    "    openssl cms -cmsout -print -inform DER -in SHA256SUMS.p7s | grep -A 1 -i 'digestAlgorithm'",
    '',
    '3. The files against SHA256SUMS, and that there are no others.',
    '',
    '    sha256sum --strict -c SHA256SUMS',
    `    test "$(ls -A | grep -c -v -x -F -e SHA256SUMS -e SHA256SUMS.p7s${stamped ? ' -e SHA256SUMS.tsr' : ''})" = "$(grep -c . SHA256SUMS)"`,
    '',
    '4. The page against the evidence, with this suite at the commit that the page names.',
    '',
    `    npx assay verify reports/${run} --cert reports/pinned.pem`,
    '',
    'It checks all of the above by itself, draws every file anew from evidence.ndjson and compares, and holds recorded',
    'answers against the contract once more.',
    ...(stamped ? STAMP_STEP : []),
  ].join('\n')}\n`;
}

const STAMP_STEP: readonly string[] = [
  '',
  '5. When it was signed, by the word of a time stamping authority (RFC 3161) and not of the signer. Get the certificate of',
  "the authority's root from the authority, not from this folder, and call it ../authority.pem:",
  '',
  '    openssl ts -verify -in SHA256SUMS.tsr -data SHA256SUMS.p7s -CAfile ../authority.pem',
  '    openssl ts -reply -in SHA256SUMS.tsr -text',
];
