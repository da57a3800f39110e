import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_COUNTRY, countryOf } from '../../../src/shared/chargers/countries.ts'
import { anyText } from './any-charger.ts'

describe('countryOf', () => {
  it.each([
    ['KJFK', 'US'],
    ['CYYZ', 'CA'],
    ['YSSY', 'AU'],
    ['ZBAA', 'CN'],
    ['ZKPY', 'KP'],
    ['ZMUB', 'MN'],
    ['UUEE', 'RU'],
    ['UMMS', 'BY'],
    ['UMKK', 'RU'],
    ['UKBB', 'UA'],
    ['UAAA', 'KZ'],
    ['UAFM', 'KG'],
    ['UCFM', 'KG'],
    ['UTTT', 'UZ'],
    ['UTAA', 'TM'],
    ['UTDD', 'TJ'],
    ['UBBB', 'AZ'],
    ['UDYZ', 'AM'],
    ['UGTB', 'GE'],
    ['EDAZ', 'DE'],
    ['ETNL', 'DE'],
    ['LOWI', 'AT'],
    ['LSZH', 'CH'],
    ['LJAJ', 'SI'],
    ['EGLL', 'GB'],
    ['EGJJ', 'JE'],
    ['EKVG', 'FO'],
    ['ENSB', 'SJ'],
    ['ENGM', 'NO'],
    ['LYPG', 'ME'],
    ['LYBE', 'RS'],
    ['BKPR', 'XK'],
    ['BIRK', 'IS'],
    ['FMCH', 'KM'],
    ['FMCZ', 'YT'],
    ['FMEE', 'RE'],
    ['FMMI', 'MG'],
    ['GCLP', 'ES'],
    ['LEMD', 'ES'],
    ['LPPT', 'PT'],
    ['PANC', 'US'],
    ['PHNL', 'US'],
    ['PGUM', 'GU'],
    ['PGSN', 'MP'],
    ['PTRO', 'PW'],
    ['PTYA', 'FM'],
    ['NSTU', 'AS'],
    ['NFTF', 'TO'],
    ['NFFN', 'FJ'],
    ['NZAA', 'NZ'],
    ['TNCA', 'AW'],
    ['TNCM', 'SX'],
    ['TFFF', 'MQ'],
    ['TFFR', 'GP'],
    ['SBGR', 'BR'],
    ['SOCA', 'GF'],
    ['WSSS', 'SG'],
    ['WMKK', 'MY'],
    ['WBSB', 'BN'],
    ['WBGG', 'MY'],
    ['RJTT', 'JP'],
  ] as [string, string][])('finds the country of %s: %s', (icao, country) => {
    expect(countryOf(icao)).toBe(country)
  })

  it('takes any case and blanks around', () => {
    expect(countryOf(' edaz ')).toBe('DE')
  })

  it('knows no country of a locator or of letters that begin no code', () => {
    const others = [null, '', 'ED', 'EDA', 'EDAZX', 'X0001', 'LF1234', 'XABC', 'JABC', 'QABC', 'IABC', 'ABCD', 'ZZZZ']
    expect(others.map(countryOf)).toEqual(others.map(() => null))
    expect(countryOf('K1G4')).toBeNull()
  })

  it('gives only countries that have a name, for every pair of letters', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
    const countries = new Set(letters.flatMap((one) => letters.map((two) => countryOf(`${one}${two}AA`))))
    countries.delete(null)
    expect(countries.size).toBeGreaterThan(200)
    for (const country of countries) expect(names.of(country!), country!).toBeTypeOf('string')
    expect(names.of(NO_COUNTRY)).toBeTypeOf('string')
  })

  it('never throws', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        countryOf(text)
      }),
    )
  })
})
