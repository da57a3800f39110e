import { describe, expect, it } from 'vitest'
import { cupFile } from '../../src/shared/chargers/exports/cup.ts'
import { readWaypoints } from '../../src/main/core/read-waypoints.ts'
import { AppError } from '../../src/shared/sentences/errors.ts'

const read = (text: string, encoding: BufferEncoding = 'utf8') =>
  readWaypoints(Buffer.from(text, encoding)).places.map(({ note: _, ...place }) => place)
const gpx = (inside: string) => `<?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1">${inside}</gpx>`

function refusal(text: string | Uint8Array): string {
  try {
    readWaypoints(Buffer.from(text as string))
  } catch (error) {
    if (error instanceof AppError && 'code' in error.sentence) return error.sentence.code
    throw error
  }
  return 'taken'
}

describe('The waypoints of a file', () => {
  it('are those of GPX that have a name, without those of tracks', () => {
    const text = gpx(`
      <wpt lat="52.2" lon="13.16"><ele>40</ele><name> Home
        strip </name><extensions><x><name>not this</name></x></extensions></wpt>
      <wpt lat="1" lon="2"><desc>no name</desc></wpt>
      <wpt lat="91" lon="2"><name>Nowhere</name></wpt>
      <wpt lon="2"><name>Half</name></wpt>
      <rte><name>A route</name><rtept lat="-33.5" lon="-70.25"><name><![CDATA[R & D]]></name></rtept></rte>
      <trk><name>A track</name><trkseg><trkpt lat="3" lon="4"><name>Point</name></trkpt></trkseg></trk>`)
    expect(read(text)).toEqual([
      { name: 'Home strip', lat: 52.2, lng: 13.16 },
      { name: 'R & D', lat: -33.5, lng: -70.25 },
    ])
  })

  it('are those of a SeeYou file, its columns in any order, without its tasks', () => {
    const first = '"Schönhagen, Piste",EDAZ,5212.000N,01309.600E'
    const rows = ['name,code,lat,lon', first, 'Süd,,3330.000S,07015.000W', 'x,,5N,']
    const tasks = ['-----Related Tasks-----', '"Task","Schönhagen, Piste","Süd"']
    const [home, south] = read([...rows, ...tasks].join('\r\n'))
    expect(home).toEqual({ name: 'Schönhagen, Piste', lat: 52.2, lng: 13.16 })
    expect(south).toEqual({ name: 'Süd', lat: -33.5, lng: -70.25 })
    expect(read('lon,lat,name\n00930.000E,5000.000N,A')).toEqual([{ name: 'A', lat: 50, lng: 9.5 }])
  })

  it('are read in the encodings that such files have', () => {
    const rows = 'name,lat,lon\nSchönhagen,5212.000N,01309.600E'
    for (const encoding of ['utf8', 'latin1', 'utf16le'] as const)
      expect(read(rows, encoding)[0]?.name).toBe('Schönhagen')
    const declared = `<?xml version="1.0" encoding="ISO-8859-1"?><gpx><wpt lat="1" lon="2"><name>Süd</name></wpt></gpx>`
    expect(read(declared, 'latin1')[0]?.name).toBe('Süd')
  })

  it('may have a letter of two bytes anywhere', () => {
    for (let before = 60; before < 90; before += 1) {
      const rows = `name,lat,lon\nSüd,5212.000N,01309.600E\n"${'x'.repeat(before)}ö",5212.000N,01309.600E`
      expect(read(rows)).toHaveLength(2)
    }
  })

  it('come back from what Hangar writes', () => {
    const [name, place] = ['EDAZ Schönhagen', { lat: 52.2, lng: 13.16 }]
    const written = cupFile([{ name, icao: 'EDAZ', place, description: 'a "charger"' }], null)
    expect(read(written)).toEqual([{ name, ...place }])
  })

  it('are the last of each name at one place, in plain letters and of a length', () => {
    const [only, ...others] = read(
      gpx(`<wpt lat="3.01" lon="4"><name>a\u202eb</name></wpt><wpt lat="3" lon="4"><name>AB</name></wpt>`),
    )
    expect([only, others]).toEqual([{ name: 'AB', lat: 3, lng: 4 }, []])
    expect(read(gpx(`<wpt lat="1" lon="2"><name>${'x'.repeat(500)}</name></wpt>`))[0]!.name).toHaveLength(80)
    expect(read(gpx(`<wpt lat="1" lon="2"><name>x${'😀'.repeat(50)}</name></wpt>`))[0]!.name.isWellFormed()).toBe(true)
  })

  it('are named where they are left out', () => {
    const leftOut = (text: string) =>
      readWaypoints(Buffer.from(text)).leftOut.map(
        ({ why }) => 'code' in why && [why.code, ...Object.values(why.values ?? {})],
      )
    const good = '<wpt lat="1" lon="2"><name>Good</name></wpt>'
    const bad = `<wpt lat="91" lon="2"><name>High</name></wpt><wpt lat="0x10" lon="2"><name>Odd</name></wpt>
      <wpt lat="3" lon="4"/><wpt lat="5" lon="6"><name>Wald</name></wpt><wpt lat="8" lon="6"><name>WALD</name></wpt>`
    expect(leftOut(gpx(good + bad))).toEqual([
      ['waypoint_nowhere', 'High', '91, 2'],
      ['waypoint_nowhere', 'Odd', '0x10, 2'],
      ['waypoint_nowhere', '–', '3, 4'],
      ['waypoint_twice', 'WALD', '5, 6', '8, 6'],
    ])
    const rows = ['A,5160.000N,00900.000E', 'B,5130N,00930E', 'C,00930.000E,5130.000N', 'D;5130.000N;00930.000E', ',,']
    expect(leftOut(['name,lat,lon', 'Good,5130.000N,00930.000E', ...rows].join('\n'))).toEqual([
      ['waypoint_nowhere', 'A', '5160.000N 00900.000E'],
      ['waypoint_nowhere', 'B', '5130N 00930E'],
      ['waypoint_nowhere', 'C', '00930.000E 5130.000N'],
      ['waypoint_nowhere', 'D;5130.000N;00930.000E', ''],
    ])
  })

  it('are read from SeeYou files without a header, or with one in other words', () => {
    const row = '"Aachen","AAC",DE,5049.383N,00611.183E,189.0m,5,80,525.0m,"122.880","Grass"'
    const other = 'Title,Code,Country,Latitude,Longitude,Elevation,Style,Direction,Length,Frequency,Description\n'
    for (const head of ['', other]) {
      const { places } = readWaypoints(Buffer.from(head + row))
      expect(places).toMatchObject([{ name: 'Aachen', lat: expect.closeTo(50.823, 3) as number, note: 'Grass' }])
    }
  })

  it('are in the letters of their countries', () => {
    const rows = (country: string) =>
      Buffer.from(`name,country,lat,lon\n\xa3\xf3d\x9f,${country},5143.000N,01924.000E`, 'latin1')
    expect(readWaypoints(rows('PL')).places[0]?.name).toBe('Łódź')
    expect(() => readWaypoints(rows('DE'))).toThrow(/save it as UTF-8/)
  })

  it.each([
    ['nothing', ''],
    ['a picture', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70])],
    ['a table of something else', 'a,b\n1,2'],
    ['XML of something else', '<kml><wpt lat="1" lon="2"><name>a</name></wpt></kml>'],
    ['GPX that is cut off', '<gpx><wpt lat="1" lon="2"><name>a'],
    ['entities that grow', `<!DOCTYPE gpx [<!ENTITY a "aaaa">]>${gpx('<wpt lat="1" lon="2"><name>&a;</name></wpt>')}`],
    ['elements nested endlessly', `<gpx>${'<x>'.repeat(20_000)}`],
    ['attributes without end', `<gpx ${Array.from({ length: 200_000 }, (_, n) => `a${n}=""`).join(' ')}`],
    ['positions that no number has', gpx('<wpt lat="Infinity" lon="1e999"><name>a</name></wpt>'), 'waypoints_left'],
    ['GPX without waypoints', gpx('<trk></trk>'), 'places_none'],
  ])('are not in %s', (_, text, code = 'places_unreadable') => {
    expect(refusal(text)).toBe(code)
  })
})
