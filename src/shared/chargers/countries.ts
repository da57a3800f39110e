/*
 * Which country an ICAO code belongs to. The table was compiled from common knowledge of the nationality letters of ICAO Doc
 * 7910; it is not a copy of that document and may lag behind it. Countries are ISO 3166-1 alpha-2 (XK for Kosovo, as is
 * customary); `Intl.DisplayNames` has their names.
 */

/** `PREFIX:COUNTRY`, ordered by the first letter; the longest matching prefix wins. */
const TABLE = `
AG:SB AN:NR AY:PG
BG:GL BI:IS BK:XK
C:CA
DA:DZ DB:BJ DF:BF DG:GH DI:CI DN:NG DR:NE DT:TN DX:TG
EB:BE ED:DE EE:EE EF:FI EG:GB EGJA:GG EGJB:GG EGJJ:JE EGNS:IM EGYP:FK EH:NL EI:IE EK:DK EKVG:FO EL:LU
EN:NO ENAS:SJ ENJA:SJ ENSA:SJ ENSB:SJ EP:PL ES:SE ET:DE EV:LV EY:LT
FA:ZA FB:BW FC:CG FD:SZ FE:CF FG:GQ FH:SH FI:MU FJ:IO FK:CM FL:ZM FMC:KM FMCZ:YT FME:RE FMM:MG FMN:MG FMS:MG
FN:AO FO:GA FP:ST FQ:MZ FS:SC FT:TD FV:ZW FW:MW FX:LS FY:NA FZ:CD
GA:ML GB:GM GC:ES GE:ES GF:SL GG:GW GL:LR GM:MA GO:SN GQ:MR GS:EH GU:GN GV:CV
HA:ET HB:BI HC:SO HD:DJ HE:EG HH:ER HJ:SS HK:KE HL:LY HR:RW HS:SD HT:TZ HU:UG
K:US
LA:AL LB:BG LC:CY LD:HR LE:ES LF:FR LFVM:PM LFVP:PM LG:GR LH:HU LI:IT LJ:SI LK:CZ LL:IL LM:MT LN:MC LO:AT LP:PT
LQ:BA LR:RO LS:CH LSXB:LI LT:TR LU:MD LV:PS LW:MK LX:GI LY:RS LYBR:ME LYNK:ME LYPG:ME LYTV:ME LZ:SK
MB:TC MD:DO MG:GT MH:HN MK:JM MM:MX MN:NI MP:PA MR:CR MS:SV MT:HT MU:CU MW:KY MY:BS MZ:BZ
NC:CK NF:FJ NFT:TO NG:KI NGF:TV NI:NU NL:WF NS:WS NSAS:AS NSFQ:AS NSTU:AS NT:PF NV:VU NW:NC
NZ:NZ NZFX:AQ NZIR:AQ NZPG:AQ NZSP:AQ NZWD:AQ
OA:AF OB:BH OE:SA OI:IR OJ:JO OK:KW OL:LB OM:AE OO:OM OP:PK OR:IQ OS:SY OT:QA OY:YE
PA:US PB:UM PC:KI PF:US PGR:MP PGS:MP PGU:GU PGW:MP PH:US PJ:UM PK:MH PL:KI PLPA:UM PM:UM PO:US PP:US PT:FM PTRO:PW
PW:UM
RC:TW RJ:JP RK:KR RO:JP RP:PH
SA:AR SAWB:AQ SB:BR SC:CL SCRM:AQ SD:BR SE:EC SF:FK SG:PY SH:CL SI:BR SJ:BR SK:CO SL:BO SM:SR SN:BR SO:GF SP:PE
SS:BR SU:UY SV:VE SW:BR SY:GY
TA:AG TB:BB TD:DM TF:GP TFFF:MQ TFFG:MF TFFJ:BL TG:GD TI:VI TJ:PR TK:KN TL:LC
TNCA:AW TNCB:BQ TNCC:CW TNCE:BQ TNCM:SX TNCS:BQ TQ:AI TR:MS TT:TT TU:VG TV:VC TX:BM
UA:KZ UAF:KG UB:AZ UC:KG UD:AM UE:RU UG:GE UH:RU UI:RU UK:UA UL:RU UM:BY UMK:RU UN:RU UO:RU UR:RU US:RU
UTA:TM UTD:TJ UTF:UZ UTK:UZ UTN:UZ UTS:UZ UTT:UZ UU:RU UW:RU UZ:UZ
VA:IN VC:LK VD:KH VE:IN VG:BD VH:HK VI:IN VL:LA VM:MO VN:NP VO:IN VQ:BT VR:MV VT:TH VV:VN VY:MM
WA:ID WB:MY WBAK:BN WBSB:BN WI:ID WM:MY WP:TL WQ:ID WR:ID WS:SG
Y:AU YPCC:CC YPXM:CX YSNF:NF YWKS:AQ
Z:CN ZK:KP ZM:MN`

const COUNTRY_OF_PREFIX: ReadonlyMap<string, string> = new Map(
  TABLE.trim()
    .split(/\s+/)
    .map((entry) => entry.split(':') as [string, string]),
)

/** Stands for "no country known" where a value is needed, as in a filter; `Intl.DisplayNames` knows it too. */
export const NO_COUNTRY = 'ZZ'

/** What flight plans use for a place without a code. */
const NO_CODE = 'ZZZZ'

/**
 * The country of an ICAO code by its longest known prefix, case-insensitive; null for anything but four letters (a locator)
 * and for an unknown prefix. A locator that happens to be four letters looks the same as a code.
 */
export function countryOf(icao: string | null): string | null {
  const code = icao?.trim().toUpperCase() ?? ''
  if (!/^[A-Z]{4}$/.test(code) || code === NO_CODE) return null
  const prefix = [4, 3, 2, 1].map((length) => code.slice(0, length)).find((one) => COUNTRY_OF_PREFIX.has(one))
  return COUNTRY_OF_PREFIX.get(prefix ?? '') ?? null
}
