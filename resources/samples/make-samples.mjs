/**
 * Draws the sample pictures beside this file: `node resources/samples/make-samples.mjs`. They are drawn and not
 * photographed, so that anybody may use them for anything. The same every time: chance comes from a fixed seed.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

const HERE = import.meta.dirname

/** A small deterministic generator (mulberry32). */
function seeded(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const svg = (width, height, body, defs = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${defs}</defs>${body}</svg>`

const gradient = (id, stops, vertical = true) =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="${vertical ? 0 : 1}" y2="${vertical ? 1 : 0}">${stops.map(([at, color]) => `<stop offset="${at}" stop-color="${color}"/>`).join('')}</linearGradient>`

const glow = (id, color) =>
  `<radialGradient id="${id}"><stop offset="0" stop-color="${color}" stop-opacity="1"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>`

const blur = (id, by) =>
  `<filter id="${id}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${by}"/></filter>`

/** A ridge of hills from edge to edge. */
function hills(width, base, height, color, seed) {
  const random = seeded(seed)
  const waves = Array.from({ length: 4 }, (_, n) => ({
    f: (n + 1) * (1.2 + random()),
    p: random() * 6.3,
    a: 1 / (n + 1),
  }))
  const points = []
  for (let x = 0; x <= width; x += 6) {
    const y = waves.reduce((sum, { f, p, a }) => sum + a * Math.sin((x / width) * Math.PI * f + p), 0)
    points.push(`${x},${(base - (height * (y + 2)) / 4).toFixed(1)}`)
  }
  return `<polygon fill="${color}" points="0,${base + 400} ${points.join(' ')} ${width},${base + 400}"/>`
}

/** A heap of soft circles. */
function cloud(x, y, size, color, seed, opacity = 0.9) {
  const random = seeded(seed)
  const puffs = Array.from({ length: 14 }, () => {
    const dx = (random() - 0.5) * size * 2.2
    const r = size * (0.25 + 0.3 * random()) * (1 - Math.abs(dx) / (size * 2))
    return `<ellipse cx="${(x + dx).toFixed(1)}" cy="${(y - r * 0.6 * random()).toFixed(1)}" rx="${(r * 1.5).toFixed(1)}" ry="${r.toFixed(1)}"/>`
  })
  return `<g fill="${color}" opacity="${opacity}" filter="url(#soft)">${puffs.join('')}</g>`
}

/** A small high-wing aircraft seen from the side, nose to the left, about 300 wide. */
const aircraft = (transform, body, trim) => `<g transform="${transform}">
  <ellipse cx="150" cy="128" rx="150" ry="10" fill="#000" opacity="0.22" filter="url(#soft)"/>
  <path d="M18 78 Q30 52 92 50 L150 46 Q230 60 292 66 L296 76 Q220 92 150 98 L62 100 Q22 98 18 78Z" fill="${body}"/>
  <path d="M20 80 Q120 92 296 74 L296 78 Q200 96 62 100 Q26 98 20 80Z" fill="${trim}"/>
  <path d="M262 68 L292 18 L306 18 L300 70Z" fill="${body}"/><path d="M284 32 L292 18 L306 18 L305 32Z" fill="${trim}"/>
  <path d="M252 64 L312 58 L314 65 L256 72Z" fill="${trim}"/>
  <path d="M84 52 L104 34 L156 34 L168 50Z" fill="#a9cbe0"/><path d="M126 34 L126 50" stroke="${body}" stroke-width="4"/>
  <path d="M70 30 L206 26 Q214 30 206 36 L74 40 Q64 36 70 30Z" fill="${body}"/><path d="M70 36 L206 33 L206 36 L74 40Z" fill="${trim}"/>
  <path d="M112 38 L120 90" stroke="#5b6670" stroke-width="4"/>
  <path d="M8 44 Q18 76 10 112 Q2 78 8 44Z" fill="#39424a" opacity="0.7"/><circle cx="16" cy="78" r="7" fill="#e8e3da"/>
  <path d="M70 98 L64 116 M140 98 L150 116" stroke="#5b6670" stroke-width="5"/>
  <circle cx="62" cy="118" r="11" fill="#23282d"/><circle cx="62" cy="118" r="4" fill="#9aa4ad"/>
  <circle cx="152" cy="118" r="11" fill="#23282d"/><circle cx="152" cy="118" r="4" fill="#9aa4ad"/></g>`

const soft = blur('soft', 3)

function dawn() {
  const [w, h] = [1600, 1000]
  const lights = Array.from({ length: 16 }, (_, n) => {
    const t = n / 15
    const y = 640 + 340 * t * t
    const half = 12 + 560 * t * t
    return [-1, 1]
      .map(
        (side) =>
          `<circle cx="${800 + side * half}" cy="${y}" r="${2 + 7 * t}" fill="#fff3c4"/><circle cx="${800 + side * half}" cy="${y}" r="${8 + 26 * t}" fill="url(#lamp)" opacity="0.6"/>`,
      )
      .join('')
  }).join('')
  return svg(
    w,
    h,
    `<rect width="${w}" height="${h}" fill="url(#sky)"/><circle cx="980" cy="560" r="420" fill="url(#sun)"/><circle cx="980" cy="586" r="62" fill="#fff1cf"/>
     ${cloud(320, 260, 150, '#f4b9a0', 4, 0.7)}${cloud(1280, 190, 120, '#f7cdb0', 9, 0.6)}${cloud(760, 350, 90, '#fbd9bd', 12, 0.6)}
     ${hills(w, 640, 120, '#6f6a8a', 3)}${hills(w, 660, 60, '#4a4a68', 8)}
     <rect y="640" width="${w}" height="360" fill="url(#grass)"/><polygon points="786,640 814,640 1420,1000 180,1000" fill="#3b3d46"/>
     ${Array.from({ length: 7 }, (_, n) => {
       const t = (n + 0.4) / 7
       const y = 640 + 350 * t * t
       return `<polygon points="${800 - 1 - 9 * t},${y} ${800 + 1 + 9 * t},${y} ${800 + 1 + 12 * t},${y + 6 + 40 * t} ${800 - 1 - 12 * t},${y + 6 + 40 * t}" fill="#e9e4d6" opacity="0.85"/>`
     }).join('')}
     ${lights}${aircraft('translate(1010 640) scale(1.1)', '#f2efe9', '#d9653b')}`,
    gradient('sky', [
      [0, '#2b3a67'],
      [0.45, '#b56576'],
      [0.65, '#f2a679'],
      [0.8, '#ffd9a0'],
    ]) +
      gradient('grass', [
        [0, '#5c5f4d'],
        [1, '#22301f'],
      ]) +
      glow('sun', '#ffdf9e') +
      glow('lamp', '#ffe9a3') +
      soft,
  )
}

function hangar() {
  const [w, h] = [1500, 1000]
  const ribs = Array.from(
    { length: 23 },
    (_, n) =>
      `<path d="M${210 + n * 48} ${430 - 210 * Math.sin(((n + 1) / 24) * Math.PI)} L${210 + n * 48} 780" stroke="#8f3a2c" stroke-width="3" opacity="0.5"/>`,
  ).join('')
  return svg(
    w,
    h,
    `<rect width="${w}" height="${h}" fill="url(#sky)"/>${cloud(300, 200, 130, '#ffffff', 21, 0.85)}${cloud(1200, 150, 160, '#ffffff', 22, 0.8)}
     ${hills(w, 760, 90, '#7e9a76', 5)}<rect y="740" width="${w}" height="260" fill="url(#apron)"/>
     <path d="M170 780 L170 430 Q750 0 1330 430 L1330 780Z" fill="#b8503d"/>${ribs}
     <path d="M300 780 L300 500 L1200 500 L1200 780Z" fill="url(#inside)"/>
     ${[0, 1, 2, 3, 4].map((n) => `<rect x="${410 + n * 160}" y="520" width="60" height="10" fill="#fff6d8"/><ellipse cx="${440 + n * 160}" cy="560" rx="70" ry="60" fill="url(#lamp)" opacity="0.5"/>`).join('')}
     <path d="M240 500 L300 500 L300 780 L240 780Z M1200 500 L1260 500 L1260 780 L1200 780Z" fill="#d7cdbd"/>
     <path d="M262 500 v280 M282 500 v280 M1222 500 v280 M1242 500 v280" stroke="#a89c88" stroke-width="3"/>
     ${aircraft('translate(560 610) scale(1.25)', '#fbfaf6', '#2f6f9f')}
     <rect x="640" y="360" width="220" height="70" rx="6" fill="#f4ead6"/><path d="M670 395 h60 M700 372 v46 M770 380 h70 M770 396 h70 M770 412 h44" stroke="#b8503d" stroke-width="9"/>
     <path d="M300 780 L1200 780 L1460 1000 L40 1000Z" fill="#000" opacity="0.06"/><path d="M750 800 L750 1000" stroke="#e8b53c" stroke-width="12" stroke-dasharray="46 28"/>`,
    gradient('sky', [
      [0, '#5ea3d6'],
      [0.8, '#d8edf7'],
    ]) +
      gradient('apron', [
        [0, '#9a978f'],
        [1, '#6d6b66'],
      ]) +
      gradient('inside', [
        [0, '#3a2f2b'],
        [1, '#5a4a41'],
      ]) +
      glow('lamp', '#ffedb5') +
      soft,
  )
}

function charger() {
  const [w, h] = [900, 1300]
  return svg(
    w,
    h,
    `<rect width="${w}" height="${h}" fill="url(#sky)"/>${hills(w, 860, 130, '#2a4858', 31)}${hills(w, 900, 80, '#1d3644', 33)}
     <rect y="900" width="${w}" height="400" fill="url(#floor)"/><ellipse cx="430" cy="1130" rx="300" ry="46" fill="#000" opacity="0.35" filter="url(#soft)"/>
     <circle cx="440" cy="560" r="420" fill="url(#halo)" opacity="0.55"/>
     <rect x="270" y="300" width="320" height="820" rx="36" fill="#eef2f2"/><rect x="270" y="300" width="60" height="820" rx="30" fill="#cfd8da"/>
     <rect x="326" y="370" width="216" height="300" rx="18" fill="#10242d"/>
     <path d="M452 400 L386 536 L430 536 L414 640 L492 490 L444 490Z" fill="#5ce0b8"/>
     <rect x="326" y="706" width="216" height="16" rx="8" fill="#c4cfd2"/><rect x="326" y="706" width="150" height="16" rx="8" fill="#2fb98f"/>
     <circle cx="360" cy="790" r="20" fill="#2fb98f"/><circle cx="434" cy="790" r="20" fill="#d5dcde"/><circle cx="508" cy="790" r="20" fill="#d5dcde"/>
     <path d="M590 620 C740 640 760 900 700 1010 C660 1090 760 1160 900 1090" fill="none" stroke="#1c2b31" stroke-width="26" stroke-linecap="round"/>
     <path d="M590 620 C740 640 760 900 700 1010 C660 1090 760 1160 900 1090" fill="none" stroke="#35505b" stroke-width="8" stroke-linecap="round"/>
     <rect x="560" y="586" width="70" height="66" rx="14" fill="#35505b"/>`,
    gradient('sky', [
      [0, '#0f2a3a'],
      [0.55, '#1f5668'],
      [0.75, '#e6a35c'],
    ]) +
      gradient('floor', [
        [0, '#32454a'],
        [1, '#18262b'],
      ]) +
      glow('halo', '#5ce0b8') +
      soft,
  )
}

function clouds() {
  const [w, h] = [1400, 900]
  const heaps = Array.from({ length: 16 }, (_, n) => {
    const random = seeded(100 + n)
    const depth = n / 15
    return cloud(
      random() * w,
      430 + depth * 460,
      90 + depth * 170,
      depth > 0.6 ? '#ffffff' : depth > 0.3 ? '#f3f0f6' : '#dfe3f0',
      200 + n,
      0.75,
    )
  }).join('')
  return svg(
    w,
    h,
    `<rect width="${w}" height="${h}" fill="url(#sky)"/><circle cx="1130" cy="170" r="260" fill="url(#sun)"/><circle cx="1130" cy="170" r="46" fill="#fffdf2"/>${heaps}
     <path d="M-20 250 L520 520 L640 500 L640 530 L520 560 Q260 470 -20 330Z" fill="#e9edf2"/><path d="M-20 300 L520 548 L520 560 Q260 470 -20 330Z" fill="#b9c3cf"/><path d="M500 512 L640 500 L640 530 L516 556Z" fill="#e2533a"/>`,
    gradient('sky', [
      [0, '#2f6fb8'],
      [0.6, '#a8d0ee'],
      [1, '#eef6fb'],
    ]) +
      glow('sun', '#fff6cf') +
      blur('soft', 9),
  )
}

function chart() {
  const [w, h] = [1100, 1100]
  const random = seeded(77)
  const rings = Array.from({ length: 9 }, (_, n) => {
    const points = Array.from({ length: 48 }, (_, k) => {
      const a = (k / 48) * Math.PI * 2
      const r = 70 + n * 52 + 18 * Math.sin(a * 3 + n * 0.4) + 14 * Math.cos(a * 5 - n * 0.3)
      return `${(690 + r * Math.cos(a)).toFixed(1)},${(400 + r * 0.8 * Math.sin(a)).toFixed(1)}`
    })
    return `<polygon points="${points.join(' ')}" fill="${['#c9d9a6', '#d5dfae', '#e0e5b8', '#e9e8c2', '#f0eacb', '#f2ecd2', '#f3eed8', '#f4f0dd', '#f5f2e3'][n]}" fill-opacity="${n === 0 ? 1 : 0.001}" stroke="#b98f56" stroke-width="${n % 4 === 0 ? 2.4 : 1.1}" opacity="0.75"/>`
  })
    .reverse()
    .join('')
  const woods = Array.from(
    { length: 130 },
    () =>
      `<circle cx="${(random() * 420).toFixed(0)}" cy="${(640 + random() * 430).toFixed(0)}" r="${(8 + random() * 16).toFixed(0)}" fill="#9fc08a" opacity="0.8"/>`,
  ).join('')
  const towns = Array.from(
    { length: 26 },
    () =>
      `<rect x="${(820 + random() * 200).toFixed(0)}" y="${(780 + random() * 190).toFixed(0)}" width="${(12 + random() * 26).toFixed(0)}" height="${(10 + random() * 20).toFixed(0)}" fill="#d98a6a" opacity="0.8"/>`,
  ).join('')
  return svg(
    w,
    h,
    `<rect width="${w}" height="${h}" fill="#f4efdc"/>${rings}${woods}${towns}
     <path d="M-20 220 C200 260 240 480 430 560 C620 640 560 860 760 1120" fill="none" stroke="#6ea8cf" stroke-width="30"/><path d="M-20 220 C200 260 240 480 430 560 C620 640 560 860 760 1120" fill="none" stroke="#9cc7e3" stroke-width="18"/>
     <path d="M0 900 C300 820 620 760 1100 520" fill="none" stroke="#c2453a" stroke-width="7"/><path d="M180 0 L640 1100" stroke="#555" stroke-width="4" stroke-dasharray="22 8"/>
     <circle cx="560" cy="690" r="190" fill="#3d6fb5" fill-opacity="0.08" stroke="#3d6fb5" stroke-width="4" stroke-dasharray="16 10"/>
     <g transform="translate(560 690) rotate(-32)"><rect x="-74" y="-9" width="148" height="18" fill="#2b2f3a"/><path d="M-60 0 H60" stroke="#fff" stroke-width="3" stroke-dasharray="12 8"/></g><circle cx="560" cy="690" r="46" fill="none" stroke="#7b2f8a" stroke-width="6"/>
     <g transform="translate(950 190)"><circle r="74" fill="#fffdf4" stroke="#444" stroke-width="3"/><path d="M0 -62 L13 0 L0 62 L-13 0Z" fill="#c2453a"/><path d="M0 62 L13 0 L-13 0Z" fill="#444"/></g>
     ${Array.from({ length: 11 }, (_, n) => `<path d="M${n * 110} 0 v1100 M0 ${n * 110} h1100" stroke="#3d6fb5" stroke-width="0.8" opacity="0.35"/>`).join('')}`,
  )
}

const badge = () =>
  svg(
    640,
    640,
    `<circle cx="320" cy="320" r="300" fill="url(#disc)"/><circle cx="320" cy="320" r="272" fill="none" stroke="#fff" stroke-width="8" opacity="0.8"/>
     <path d="M320 130 L344 300 L520 372 L520 400 L346 360 L338 452 L392 492 L392 512 L320 496 L248 512 L248 492 L302 452 L294 360 L120 400 L120 372 L296 300Z" fill="#fff"/>
     <path d="M334 330 L290 410 L318 410 L306 470 L356 384 L326 384Z" fill="#f2b632"/>`,
    gradient('disc', [
      [0, '#2d7fc1'],
      [1, '#123f6b'],
    ]),
  )

/** One moment of a windsock in a changing wind; `t` from 0 to 1 goes round. */
function windsock(t) {
  const [w, h] = [360, 360]
  const strength = 0.55 + 0.35 * Math.sin(t * Math.PI * 2)
  const at = (k) => {
    const wave = Math.sin(k * 3.2 - t * Math.PI * 4) * 9 * k
    return { x: 90 + k * (150 + 60 * strength), y: 90 + k * (150 * (1 - strength)) + wave, r: 30 - 14 * k }
  }
  const stripes = Array.from({ length: 5 }, (_, n) => {
    const [a, b] = [at(n / 5), at((n + 1) / 5)]
    return `<polygon points="${a.x},${a.y - a.r} ${b.x},${b.y - b.r} ${b.x},${b.y + b.r} ${a.x},${a.y + a.r}" fill="${n % 2 === 0 ? '#e4572e' : '#fbf7ef'}"/>`
  }).join('')
  return svg(
    w,
    h,
    `<rect width="${w}" height="${h}" fill="#9fd0ec"/><rect y="300" width="${w}" height="60" fill="#86b36b"/><ellipse cx="${(60 + 300 * t).toFixed(0)}" cy="60" rx="46" ry="15" fill="#fff" opacity="0.85"/>
     <rect x="82" y="60" width="8" height="260" fill="#5f6970"/>${stripes}<ellipse cx="90" cy="90" rx="7" ry="31" fill="none" stroke="#5f6970" stroke-width="5"/>`,
  )
}

function cockpit() {
  const [w, h] = [1280, 860]
  const dial = (x, y, r, turn, hue) =>
    `<g transform="translate(${x} ${y})"><circle r="${r}" fill="#0c1013" stroke="#59646c" stroke-width="7"/>${Array.from({ length: 24 }, (_, n) => `<path d="M0 ${-r + 12} V${-r + (n % 3 === 0 ? 30 : 21)}" stroke="#e8ecee" stroke-width="${n % 3 === 0 ? 4 : 2}" transform="rotate(${n * 15})"/>`).join('')}<path d="M0 14 L-6 0 L0 ${-r + 34} L6 0Z" fill="${hue}" transform="rotate(${turn})"/><circle r="9" fill="#39444b"/></g>`
  return svg(
    w,
    h,
    `<rect width="${w}" height="430" fill="url(#sky)"/>${cloud(260, 250, 120, '#ffffff', 61, 0.8)}${cloud(930, 210, 150, '#ffffff', 64, 0.75)}${hills(w, 400, 90, '#8aa98d', 66)}${hills(w, 440, 70, '#5f8468', 67)}
     <path d="M0 0 H70 L180 430 H0Z M1280 0 H1210 L1100 430 H1280Z M628 0 h24 v430 h-24Z" fill="#2b3136"/><path d="M0 410 Q640 320 1280 410 V860 H0Z" fill="url(#panel)"/>
     ${dial(220, 590, 110, -60, '#f5c243')}${dial(470, 590, 110, 35, '#ff7d54')}${dial(220, 800, 84, 120, '#7fd1ae')}${dial(470, 800, 84, -140, '#f5c243')}
     <rect x="620" y="470" width="420" height="300" rx="18" fill="#0b1014" stroke="#59646c" stroke-width="7"/><rect x="640" y="490" width="380" height="150" fill="#3d83c4"/><path d="M640 590 L1020 540 V750 H640Z" fill="#8a6237"/><path d="M640 590 L1020 540" stroke="#fff" stroke-width="4"/>
     <path d="M760 600 h60 l14 16 M900 600 h-60 l-6 16" stroke="#ffd84d" stroke-width="7" fill="none"/><rect x="1080" y="470" width="130" height="300" rx="14" fill="#0b1014" stroke="#59646c" stroke-width="7"/>${[0, 1, 2, 3, 4, 5, 6].map((n) => `<rect x="1104" y="${726 - n * 38}" width="82" height="26" rx="4" fill="${n < 5 ? '#4ed1a0' : '#22313a'}"/>`).join('')}`,
    gradient('sky', [
      [0, '#4d94d1'],
      [1, '#e4f1f8'],
    ]) +
      gradient('panel', [
        [0, '#3a4248'],
        [1, '#1b2024'],
      ]) +
      soft,
  )
}

/** Fine grain, as a camera leaves it: without it a drawing compresses to nothing. */
async function withGrain(picture, sigma) {
  const { width = 1, height = 1 } = await sharp(Buffer.from(picture)).metadata()
  const random = seeded(width * 31 + height)
  const flat = await sharp(Buffer.from(picture)).removeAlpha().raw().toBuffer()
  for (let at = 0; at < flat.length; at += 3) {
    const grain = (random() + random() + random() - 1.5) * sigma
    for (let channel = 0; channel < 3; channel += 1)
      flat[at + channel] = Math.max(0, Math.min(255, (flat[at + channel] ?? 0) + grain))
  }
  return sharp(flat, { raw: { width, height, channels: 3 } })
}

const save = (name, bytes) => writeFile(join(HERE, name), bytes)

await save('airfield-at-dawn.jpg', await (await withGrain(dawn(), 7)).jpeg({ quality: 94 }).toBuffer())
await save('red-hangar.jpg', await (await withGrain(hangar(), 5)).jpeg({ quality: 92 }).toBuffer())
await save('charger-at-dusk.jpg', await (await withGrain(charger(), 6)).jpeg({ quality: 93 }).toBuffer())
await save('above-the-clouds.jpg', await (await withGrain(clouds(), 4)).jpeg({ quality: 92 }).toBuffer())
await save('airfield-chart.png', await sharp(Buffer.from(chart())).png({ compressionLevel: 6 }).toBuffer())
await save('club-badge.png', await sharp(Buffer.from(badge())).png({ compressionLevel: 6 }).toBuffer())
await save('cockpit-view.webp', await (await withGrain(cockpit(), 4)).webp({ quality: 86 }).toBuffer())
const frames = Array.from({ length: 16 }, (_, n) => Buffer.from(windsock(n / 16)))
const drawn = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()))
await save(
  'windsock.gif',
  await sharp(drawn, { join: { animated: true } })
    .gif({ delay: frames.map(() => 90), loop: 0, colours: 32 })
    .toBuffer(),
)

/** The picture of an empty list, before and after: compressed as by the practice service. Their sizes are in example-picture.tsx. */
const page = (name) => join(HERE, '../../src/renderer/public', name)
const before = await sharp(join(HERE, 'airfield-at-dawn.jpg'))
  .resize(1128, 705)
  .extract({ left: 0, top: 75, width: 1120, height: 630 })
  .jpeg({ quality: 95 })
  .toBuffer()
await writeFile(page('example-before.jpg'), before)
await writeFile(page('example-after.jpg'), await sharp(before).jpeg({ quality: 76, mozjpeg: true }).toBuffer())
