/** A bank as the lookup answers it. */
export interface ListedBank {
  readonly bic: string;
  readonly name: string;
}

/** A handful of banks by country and bank identifier; every other bank counts as not listed. */
const BANKS: Readonly<Record<string, ListedBank>> = {
  AT20111: { bic: 'GIBAATWWXXX', name: 'Erste Bank' },
  DE37040044: { bic: 'COBADEFFXXX', name: 'Commerzbank' },
  DE50010517: { bic: 'INGDDEFFXXX', name: 'ING-DiBa' },
  EE22: { bic: 'HABAEE2XXXX', name: 'Swedbank' },
  ES2100: { bic: 'CAIXESBBXXX', name: 'CaixaBank' },
  FR20041: { bic: 'PSSTFRPPXXX', name: 'La Banque Postale' },
  GBNWBK: { bic: 'NWBKGB2LXXX', name: 'National Westminster Bank' },
  IEAIBK: { bic: 'AIBKIE2DXXX', name: 'Allied Irish Banks' },
  LT32500: { bic: 'REVOLT21XXX', name: 'Revolut Bank' },
  LT73000: { bic: 'HABALT22XXX', name: 'Swedbank' },
  LVHABA: { bic: 'HABALV22XXX', name: 'Swedbank' },
  NLABNA: { bic: 'ABNANL2AXXX', name: 'ABN AMRO Bank' },
  NLINGB: { bic: 'INGBNL2AXXX', name: 'ING Bank' },
};

/** The bank behind a country's bank identifier, when it is listed. */
export function findListedBank(country: string, identifier: string): ListedBank | undefined {
  return BANKS[country + identifier];
}
