import type { Point } from './distance.ts'

/*
 * The time zones of each country, with the position of the place that each is named after: `zone.tab` of the IANA time zone
 * database (2025b, public domain), in whole degrees. `COUNTRY lat,lng,ZONE lat,lng,ZONE`; a line that begins with a space
 * continues the previous one.
 */
const TABLE = `
AD 43,2,Europe/Andorra
AE 25,55,Asia/Dubai
AF 35,69,Asia/Kabul
AG 17,-62,America/Antigua
AI 18,-63,America/Anguilla
AL 41,20,Europe/Tirane
AM 40,45,Asia/Yerevan
AO -9,13,Africa/Luanda
AQ -78,167,Antarctica/McMurdo -66,111,Antarctica/Casey -69,78,Antarctica/Davis -67,140,Antarctica/DumontDUrville
  -68,63,Antarctica/Mawson -65,-64,Antarctica/Palmer -68,-68,Antarctica/Rothera -69,40,Antarctica/Syowa
  -72,3,Antarctica/Troll -78,107,Antarctica/Vostok
AR -35,-58,America/Argentina/Buenos_Aires -31,-64,America/Argentina/Cordoba -25,-65,America/Argentina/Salta
  -24,-65,America/Argentina/Jujuy -27,-65,America/Argentina/Tucuman -28,-66,America/Argentina/Catamarca
  -29,-67,America/Argentina/La_Rioja -32,-69,America/Argentina/San_Juan -33,-69,America/Argentina/Mendoza
  -33,-66,America/Argentina/San_Luis -52,-69,America/Argentina/Rio_Gallegos -55,-68,America/Argentina/Ushuaia
AS -14,-171,Pacific/Pago_Pago
AT 48,16,Europe/Vienna
AU -32,159,Australia/Lord_Howe -54,159,Antarctica/Macquarie -43,147,Australia/Hobart -38,145,Australia/Melbourne
  -34,151,Australia/Sydney -32,141,Australia/Broken_Hill -27,153,Australia/Brisbane -20,149,Australia/Lindeman
  -35,139,Australia/Adelaide -12,131,Australia/Darwin -32,116,Australia/Perth -32,129,Australia/Eucla
AW 13,-70,America/Aruba
AX 60,20,Europe/Mariehamn
AZ 40,50,Asia/Baku
BA 44,18,Europe/Sarajevo
BB 13,-60,America/Barbados
BD 24,90,Asia/Dhaka
BE 51,4,Europe/Brussels
BF 12,-2,Africa/Ouagadougou
BG 43,23,Europe/Sofia
BH 26,51,Asia/Bahrain
BI -3,29,Africa/Bujumbura
BJ 6,3,Africa/Porto-Novo
BL 18,-63,America/St_Barthelemy
BM 32,-65,Atlantic/Bermuda
BN 5,115,Asia/Brunei
BO -16,-68,America/La_Paz
BQ 12,-68,America/Kralendijk
BR -4,-32,America/Noronha -1,-48,America/Belem -4,-38,America/Fortaleza -8,-35,America/Recife -7,-48,America/Araguaina
  -10,-36,America/Maceio -13,-39,America/Bahia -24,-47,America/Sao_Paulo -20,-55,America/Campo_Grande
  -16,-56,America/Cuiaba -2,-55,America/Santarem -9,-64,America/Porto_Velho 3,-61,America/Boa_Vista
  -3,-60,America/Manaus -7,-70,America/Eirunepe -10,-68,America/Rio_Branco
BS 25,-77,America/Nassau
BT 27,90,Asia/Thimphu
BW -25,26,Africa/Gaborone
BY 54,28,Europe/Minsk
BZ 18,-88,America/Belize
CA 48,-53,America/St_Johns 45,-64,America/Halifax 46,-60,America/Glace_Bay 46,-65,America/Moncton
  53,-60,America/Goose_Bay 51,-57,America/Blanc-Sablon 44,-79,America/Toronto 64,-68,America/Iqaluit
  49,-92,America/Atikokan 50,-97,America/Winnipeg 75,-95,America/Resolute 63,-92,America/Rankin_Inlet
  50,-105,America/Regina 50,-108,America/Swift_Current 54,-113,America/Edmonton 69,-105,America/Cambridge_Bay
  68,-134,America/Inuvik 49,-117,America/Creston 56,-120,America/Dawson_Creek 59,-123,America/Fort_Nelson
  61,-135,America/Whitehorse 64,-139,America/Dawson 49,-123,America/Vancouver
CC -12,97,Indian/Cocos
CD -4,15,Africa/Kinshasa -12,27,Africa/Lubumbashi
CF 4,19,Africa/Bangui
CG -4,15,Africa/Brazzaville
CH 47,9,Europe/Zurich
CI 5,-4,Africa/Abidjan
CK -21,-160,Pacific/Rarotonga
CL -33,-71,America/Santiago -46,-72,America/Coyhaique -53,-71,America/Punta_Arenas -27,-109,Pacific/Easter
CM 4,10,Africa/Douala
CN 31,121,Asia/Shanghai 44,88,Asia/Urumqi
CO 5,-74,America/Bogota
CR 10,-84,America/Costa_Rica
CU 23,-82,America/Havana
CV 15,-24,Atlantic/Cape_Verde
CW 12,-69,America/Curacao
CX -10,106,Indian/Christmas
CY 35,33,Asia/Nicosia 35,34,Asia/Famagusta
CZ 50,14,Europe/Prague
DE 53,13,Europe/Berlin 48,9,Europe/Busingen
DJ 12,43,Africa/Djibouti
DK 56,13,Europe/Copenhagen
DM 15,-61,America/Dominica
DO 18,-70,America/Santo_Domingo
DZ 37,3,Africa/Algiers
EC -2,-80,America/Guayaquil -1,-90,Pacific/Galapagos
EE 59,25,Europe/Tallinn
EG 30,31,Africa/Cairo
EH 27,-13,Africa/El_Aaiun
ER 15,39,Africa/Asmara
ES 40,-4,Europe/Madrid 36,-5,Africa/Ceuta 28,-15,Atlantic/Canary
ET 9,39,Africa/Addis_Ababa
FI 60,25,Europe/Helsinki
FJ -18,178,Pacific/Fiji
FK -52,-58,Atlantic/Stanley
FM 7,152,Pacific/Chuuk 7,158,Pacific/Pohnpei 5,163,Pacific/Kosrae
FO 62,-7,Atlantic/Faroe
FR 49,2,Europe/Paris
GA 0,9,Africa/Libreville
GB 52,0,Europe/London
GD 12,-62,America/Grenada
GE 42,45,Asia/Tbilisi
GF 5,-52,America/Cayenne
GG 49,-3,Europe/Guernsey
GH 6,0,Africa/Accra
GI 36,-5,Europe/Gibraltar
GL 64,-52,America/Nuuk 77,-19,America/Danmarkshavn 70,-22,America/Scoresbysund 77,-69,America/Thule
GM 13,-17,Africa/Banjul
GN 10,-14,Africa/Conakry
GP 16,-62,America/Guadeloupe
GQ 4,9,Africa/Malabo
GR 38,24,Europe/Athens
GS -54,-37,Atlantic/South_Georgia
GT 15,-91,America/Guatemala
GU 13,145,Pacific/Guam
GW 12,-16,Africa/Bissau
GY 7,-58,America/Guyana
HK 22,114,Asia/Hong_Kong
HN 14,-87,America/Tegucigalpa
HR 46,16,Europe/Zagreb
HT 19,-72,America/Port-au-Prince
HU 48,19,Europe/Budapest
ID -6,107,Asia/Jakarta 0,109,Asia/Pontianak -5,119,Asia/Makassar -3,141,Asia/Jayapura
IE 53,-6,Europe/Dublin
IL 32,35,Asia/Jerusalem
IM 54,-4,Europe/Isle_of_Man
IN 23,88,Asia/Kolkata
IO -7,72,Indian/Chagos
IQ 33,44,Asia/Baghdad
IR 36,51,Asia/Tehran
IS 64,-22,Atlantic/Reykjavik
IT 42,12,Europe/Rome
JE 49,-2,Europe/Jersey
JM 18,-77,America/Jamaica
JO 32,36,Asia/Amman
JP 36,140,Asia/Tokyo
KE -1,37,Africa/Nairobi
KG 43,75,Asia/Bishkek
KH 12,105,Asia/Phnom_Penh
KI 1,173,Pacific/Tarawa -3,-172,Pacific/Kanton 2,-157,Pacific/Kiritimati
KM -12,43,Indian/Comoro
KN 17,-63,America/St_Kitts
KP 39,126,Asia/Pyongyang
KR 38,127,Asia/Seoul
KW 29,48,Asia/Kuwait
KY 19,-81,America/Cayman
KZ 43,77,Asia/Almaty 45,65,Asia/Qyzylorda 53,64,Asia/Qostanay 50,57,Asia/Aqtobe 45,50,Asia/Aqtau 47,52,Asia/Atyrau
  51,51,Asia/Oral
LA 18,103,Asia/Vientiane
LB 34,36,Asia/Beirut
LC 14,-61,America/St_Lucia
LI 47,10,Europe/Vaduz
LK 7,80,Asia/Colombo
LR 6,-11,Africa/Monrovia
LS -29,28,Africa/Maseru
LT 55,25,Europe/Vilnius
LU 50,6,Europe/Luxembourg
LV 57,24,Europe/Riga
LY 33,13,Africa/Tripoli
MA 34,-8,Africa/Casablanca
MC 44,7,Europe/Monaco
MD 47,29,Europe/Chisinau
ME 42,19,Europe/Podgorica
MF 18,-63,America/Marigot
MG -19,48,Indian/Antananarivo
MH 7,171,Pacific/Majuro 9,167,Pacific/Kwajalein
MK 42,21,Europe/Skopje
ML 13,-8,Africa/Bamako
MM 17,96,Asia/Yangon
MN 48,107,Asia/Ulaanbaatar 48,92,Asia/Hovd
MO 22,114,Asia/Macau
MP 15,146,Pacific/Saipan
MQ 15,-61,America/Martinique
MR 18,-16,Africa/Nouakchott
MS 17,-62,America/Montserrat
MT 36,15,Europe/Malta
MU -20,58,Indian/Mauritius
MV 4,74,Indian/Maldives
MW -16,35,Africa/Blantyre
MX 19,-99,America/Mexico_City 21,-87,America/Cancun 21,-90,America/Merida 26,-100,America/Monterrey
  26,-97,America/Matamoros 29,-106,America/Chihuahua 32,-106,America/Ciudad_Juarez 30,-104,America/Ojinaga
  23,-106,America/Mazatlan 21,-105,America/Bahia_Banderas 29,-111,America/Hermosillo 33,-117,America/Tijuana
MY 3,102,Asia/Kuala_Lumpur 2,110,Asia/Kuching
MZ -26,33,Africa/Maputo
NA -23,17,Africa/Windhoek
NC -22,166,Pacific/Noumea
NE 14,2,Africa/Niamey
NF -29,168,Pacific/Norfolk
NG 6,3,Africa/Lagos
NI 12,-86,America/Managua
NL 52,5,Europe/Amsterdam
NO 60,11,Europe/Oslo
NP 28,85,Asia/Kathmandu
NR -1,167,Pacific/Nauru
NU -19,-170,Pacific/Niue
NZ -37,175,Pacific/Auckland -44,-177,Pacific/Chatham
OM 24,59,Asia/Muscat
PA 9,-80,America/Panama
PE -12,-77,America/Lima
PF -18,-150,Pacific/Tahiti -9,-139,Pacific/Marquesas -23,-135,Pacific/Gambier
PG -9,147,Pacific/Port_Moresby -6,156,Pacific/Bougainville
PH 15,121,Asia/Manila
PK 25,67,Asia/Karachi
PL 52,21,Europe/Warsaw
PM 47,-56,America/Miquelon
PN -25,-130,Pacific/Pitcairn
PR 18,-66,America/Puerto_Rico
PS 32,34,Asia/Gaza 32,35,Asia/Hebron
PT 39,-9,Europe/Lisbon 33,-17,Atlantic/Madeira 38,-26,Atlantic/Azores
PW 7,134,Pacific/Palau
PY -25,-58,America/Asuncion
QA 25,52,Asia/Qatar
RE -21,55,Indian/Reunion
RO 44,26,Europe/Bucharest
RS 45,21,Europe/Belgrade
RU 55,21,Europe/Kaliningrad 56,38,Europe/Moscow 59,50,Europe/Kirov 49,44,Europe/Volgograd 46,48,Europe/Astrakhan
  52,46,Europe/Saratov 54,48,Europe/Ulyanovsk 53,50,Europe/Samara 57,61,Asia/Yekaterinburg 55,73,Asia/Omsk
  55,83,Asia/Novosibirsk 53,84,Asia/Barnaul 57,85,Asia/Tomsk 54,87,Asia/Novokuznetsk 56,93,Asia/Krasnoyarsk
  52,104,Asia/Irkutsk 52,113,Asia/Chita 62,130,Asia/Yakutsk 63,136,Asia/Khandyga 43,132,Asia/Vladivostok
  65,143,Asia/Ust-Nera 60,151,Asia/Magadan 47,143,Asia/Sakhalin 67,154,Asia/Srednekolymsk 53,159,Asia/Kamchatka
  65,177,Asia/Anadyr
RW -2,30,Africa/Kigali
SA 25,47,Asia/Riyadh
SB -10,160,Pacific/Guadalcanal
SC -5,55,Indian/Mahe
SD 16,33,Africa/Khartoum
SE 59,18,Europe/Stockholm
SG 1,104,Asia/Singapore
SH -16,-6,Atlantic/St_Helena
SI 46,15,Europe/Ljubljana
SJ 78,16,Arctic/Longyearbyen
SK 48,17,Europe/Bratislava
SL 9,-13,Africa/Freetown
SM 44,12,Europe/San_Marino
SN 15,-17,Africa/Dakar
SO 2,45,Africa/Mogadishu
SR 6,-55,America/Paramaribo
SS 5,32,Africa/Juba
ST 0,7,Africa/Sao_Tome
SV 14,-89,America/El_Salvador
SX 18,-63,America/Lower_Princes
SY 34,36,Asia/Damascus
SZ -26,31,Africa/Mbabane
TC 21,-71,America/Grand_Turk
TD 12,15,Africa/Ndjamena
TF -49,70,Indian/Kerguelen
TG 6,1,Africa/Lome
TH 14,101,Asia/Bangkok
TJ 39,69,Asia/Dushanbe
TK -9,-171,Pacific/Fakaofo
TL -9,126,Asia/Dili
TM 38,58,Asia/Ashgabat
TN 37,10,Africa/Tunis
TO -21,-175,Pacific/Tongatapu
TR 41,29,Europe/Istanbul
TT 11,-62,America/Port_of_Spain
TV -9,179,Pacific/Funafuti
TW 25,122,Asia/Taipei
TZ -7,39,Africa/Dar_es_Salaam
UA 45,34,Europe/Simferopol 50,31,Europe/Kyiv
UG 0,32,Africa/Kampala
UM 28,-177,Pacific/Midway 19,167,Pacific/Wake
US 41,-74,America/New_York 42,-83,America/Detroit 38,-86,America/Kentucky/Louisville
  37,-85,America/Kentucky/Monticello 40,-86,America/Indiana/Indianapolis 39,-88,America/Indiana/Vincennes
  41,-87,America/Indiana/Winamac 38,-86,America/Indiana/Marengo 38,-87,America/Indiana/Petersburg
  39,-85,America/Indiana/Vevay 42,-88,America/Chicago 38,-87,America/Indiana/Tell_City 41,-87,America/Indiana/Knox
  45,-88,America/Menominee 47,-101,America/North_Dakota/Center 47,-101,America/North_Dakota/New_Salem
  47,-102,America/North_Dakota/Beulah 40,-105,America/Denver 44,-116,America/Boise 33,-112,America/Phoenix
  34,-118,America/Los_Angeles 61,-150,America/Anchorage 58,-134,America/Juneau 57,-135,America/Sitka
  55,-132,America/Metlakatla 60,-140,America/Yakutat 65,-165,America/Nome 52,-177,America/Adak
  21,-158,Pacific/Honolulu
UY -35,-56,America/Montevideo
UZ 40,67,Asia/Samarkand 41,69,Asia/Tashkent
VA 42,12,Europe/Vatican
VC 13,-61,America/St_Vincent
VE 11,-67,America/Caracas
VG 18,-65,America/Tortola
VI 18,-65,America/St_Thomas
VN 11,107,Asia/Ho_Chi_Minh
VU -18,168,Pacific/Efate
WF -13,-176,Pacific/Wallis
WS -14,-172,Pacific/Apia
YE 13,45,Asia/Aden
YT -13,45,Indian/Mayotte
ZA -26,28,Africa/Johannesburg
ZM -15,28,Africa/Lusaka
ZW -18,31,Africa/Harare`

/** A zone, and the position of the place that it is named after. */
export interface NamedZone {
  name: string
  place: Point
}

const ZONES_OF_COUNTRY: ReadonlyMap<string, readonly NamedZone[]> = new Map(
  TABLE.trim()
    .split(/\n(?=\S)/)
    .map((line) => {
      const [country = '', ...zones] = line.split(/\s+/)
      return [country, zones.map(readZone)]
    }),
)

function readZone(written: string): NamedZone {
  const [lat, lng, name = ''] = written.split(',')
  return { name, place: { lat: Number(lat), lng: Number(lng) } }
}

const NONE: readonly NamedZone[] = []

/** `country` is ISO 3166-1 alpha-2; empty for an unknown one. */
export function zonesOfCountry(country: string): readonly NamedZone[] {
  return ZONES_OF_COUNTRY.get(country) ?? NONE
}

const COUNTRY_OF_ZONE: ReadonlyMap<string, string> = new Map(
  [...ZONES_OF_COUNTRY].flatMap(([country, zones]) => zones.map(({ name }) => [name, country] as const)),
)

/** ISO 3166-1 alpha-2; null for a zone of the high seas or one that is not in the table. */
export function countryOfZone(name: string): string | null {
  return COUNTRY_OF_ZONE.get(name) ?? null
}
