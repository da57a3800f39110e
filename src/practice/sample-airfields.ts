/** A real airfield. Coordinates are accurate to about a kilometre: sample data, not for navigation. */
export interface SampleAirfield {
  /** Null where no ICAO code exists. */
  icao: string | null
  locator: string | null
  /** ICAO country prefix. */
  country: string
  name: string
  /** Null: the charger is listed without coordinates. */
  position: { lat: number; lng: number } | null
  chargers: number
}

/** `CODE LAT LNG CHARGERS NAME`. With `/COUNTRY` the code is a local locator; dashes stand for an unknown position. */
const LINES = `
LJAJ 45.8892 13.8869 3 Ajdovščina
LJLJ 46.2237 14.4576 1 Ljubljana Jože Pučnik
EFHK 60.3172 24.9633 1 Helsinki-Vantaa
EFNU 60.3339 24.2964 2 Nummela
EFTU 60.5141 22.2628 1 Turku
EFTP 61.4141 23.6044 1 Tampere-Pirkkala
EFJY 62.3995 25.6783 1 Jyväskylä
ESSB 59.3544 17.9417 1 Stockholm-Bromma
ESOW 59.5894 16.6336 2 Stockholm-Västerås
ESNZ 63.1944 14.5003 1 Åre Östersund
ESNS 64.6248 21.0769 2 Skellefteå
ESGP 57.7747 11.8704 1 Göteborg-Säve
ESMS 55.5363 13.3762 1 Malmö
ENGM 60.1939 11.1004 1 Oslo-Gardermoen
ENTO 59.1867 10.2586 1 Sandefjord-Torp
ENKJ 59.9693 11.0361 1 Kjeller
ENBR 60.2934 5.2181 1 Bergen-Flesland
ENZV 58.8768 5.6378 2 Stavanger-Sola
EKRK 55.5856 12.1314 2 Roskilde
EKBI 55.7403 9.1518 1 Billund
EKAH 56.3000 10.6190 1 Aarhus
BIRK 64.1300 -21.9406 1 Reykjavík
EDAZ 52.2036 13.1564 2 Schönhagen
EDKB 50.7689 7.1633 1 Bonn-Hangelar
EDMO 48.0814 11.2831 1 Oberpfaffenhofen
EDLE 51.4023 6.9373 1 Essen/Mülheim
EDFE 49.9600 8.6458 1 Frankfurt-Egelsbach
EDNY 47.6713 9.5115 2 Friedrichshafen
EDVK 51.4173 9.3849 1 Kassel-Calden
EDXW 54.9132 8.3405 1 Sylt
EDKA 50.8231 6.1864 2 Aachen-Merzbrück
LSZB 46.9141 7.4971 1 Bern
LSGE 46.7550 7.0761 2 Ecuvillens
LSZG 47.1816 7.4172 1 Grenchen
LSGC 47.0839 6.7929 1 Les Éplatures
LSGY 46.7619 6.6133 1 Yverdon-les-Bains
LOAN 47.8433 16.2601 2 Wiener Neustadt/Ost
LOWG 46.9911 15.4396 1 Graz
LOWZ 47.2925 12.7875 1 Zell am See
LFPN 48.7519 2.1062 2 Toussus-le-Noble
LFPZ 48.8114 2.0747 1 Saint-Cyr-l'École
LFLP 45.9308 6.1064 1 Annecy-Meythet
LFLG 45.2192 5.8494 1 Grenoble-Le Versoud
LFCL 43.5861 1.4992 1 Toulouse-Lasbordes
LFMD 43.5464 6.9542 1 Cannes-Mandelieu
EHTE 52.2447 6.0467 3 Teuge
EHLE 52.4603 5.5272 1 Lelystad
EHRD 51.9569 4.4372 1 Rotterdam The Hague
EHHV 52.1919 5.1469 1 Hilversum
EBKT 50.8172 3.2047 1 Kortrijk-Wevelgem
EBAW 51.1894 4.4603 1 Antwerp
EGBJ 51.8942 -2.1672 1 Gloucestershire
EGSC 52.2050 0.1750 1 Cambridge
EGML 51.5289 0.2456 2 Damyns Hall
EGMD 50.9561 0.9392 1 Lydd
EGPA 58.9578 -2.9050 1 Kirkwall
EIWT 53.3517 -6.4875 1 Weston
LPCS 38.7250 -9.3553 1 Cascais
LECU 40.3707 -3.7851 1 Madrid-Cuatro Vientos
LELL 41.5209 2.1051 1 Sabadell
LIPV 45.4283 12.3881 1 Venezia-Lido
LILN 45.7422 8.8882 1 Varese-Venegono
LIPB 46.4602 11.3264 1 Bolzano
EPBC 52.2685 20.9110 1 Warszawa-Babice
LKLT 50.1314 14.5255 1 Praha-Letňany
LHBS 47.4511 18.9806 1 Budaörs
EETN 59.4133 24.8328 1 Tallinn
KSMO 34.0158 -118.4513 1 Santa Monica
KSQL 37.5119 -122.2495 1 San Carlos
KPAO 37.4611 -122.1150 1 Palo Alto
KFCH 36.7324 -119.8202 2 Fresno Chandler
KBTV 44.4719 -73.1533 2 Burlington
KPBG 44.6509 -73.4681 1 Plattsburgh
KSGH 39.8403 -83.8402 2 Springfield-Beckley
KMIC 45.0620 -93.3539 1 Minneapolis Crystal
KAPC 38.2132 -122.2807 1 Napa County
KBFI 47.5300 -122.3020 1 Seattle Boeing Field
KBED 42.4700 -71.2890 1 Hanscom Field
KCHO 38.1386 -78.4529 1 Charlottesville-Albemarle
CYPK 49.2161 -122.7100 1 Pitt Meadows
CZBB 49.0742 -123.0119 1 Boundary Bay
CYHU 45.5175 -73.4169 1 Montréal Saint-Hubert
CYKF 43.4608 -80.3786 1 Waterloo
NZCH -43.4894 172.5322 1 Christchurch
NZAR -37.0297 174.9733 1 Ardmore
YPJT -32.0975 115.8811 2 Jandakot
YMMB -37.9758 145.1022 1 Moorabbin
YSBK -33.9244 150.9883 1 Bankstown
RJTF 35.6717 139.5281 1 Chōfu
WSSL 1.4169 103.8678 1 Seletar
FAGM -26.2425 28.1511 1 Rand
SBMT -23.5091 -46.6378 1 Campo de Marte
SCTB -33.4563 -70.5467 1 Tobalaba
7S5/K 44.8670 -123.1982 1 Independence State
E16/K 37.0816 -121.5968 1 San Martin
LZSE - - 1 Senica
`

const ONE_LETTER_COUNTRIES: ReadonlySet<string> = new Set(['K', 'C', 'Y'])

function parse(line: string): SampleAirfield {
  const [given = '', lat, lng, chargers, ...name] = line.split(' ')
  const [code = '', ofLocator] = given.split('/')
  const first = code.slice(0, 1)
  return {
    icao: ofLocator === undefined ? code : null,
    locator: ofLocator === undefined ? null : code,
    country: ofLocator ?? (ONE_LETTER_COUNTRIES.has(first) ? first : code.slice(0, 2)),
    name: name.join(' '),
    position: lat === '-' ? null : { lat: Number(lat), lng: Number(lng) },
    chargers: Number(chargers),
  }
}

export const SAMPLE_AIRFIELDS: readonly SampleAirfield[] = LINES.trim().split('\n').map(parse)
