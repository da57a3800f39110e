import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import sharp from 'sharp'

const SAMPLES = resolve(import.meta.dirname, '../../resources/samples')

/** How a picture differs from the sample it is made of: its content has to be another one. */
interface Variant {
  of: string
  mirrored?: boolean
  /** Degrees on the colour wheel. */
  hue?: number
  brightness?: number
  width?: number
}

const VARIANTS: Readonly<Record<string, Variant>> = {
  'apron-in-the-evening.jpg': { of: 'airfield-at-dawn.jpg', mirrored: true, brightness: 0.75 },
  'charging-bay-3.jpg': { of: 'charger-at-dusk.jpg', mirrored: true, hue: 40 },
  'members-hangar.jpg': { of: 'red-hangar.jpg', mirrored: true, hue: 200 },
  'DSC_4821.jpg': { of: 'red-hangar.jpg', hue: 140, width: 1800 },
  'DSC_4822.jpg': { of: 'above-the-clouds.jpg', mirrored: true, brightness: 0.9 },
  'Flugplatzfest Übersichtsplan.png': { of: 'airfield-chart.png', hue: 30 },
  'title page – the hangar doors open for the first time in spring.jpg': { of: 'red-hangar.jpg', brightness: 1.1 },
  'scan-1974.jpg': { of: 'airfield-at-dawn.jpg', hue: 320, brightness: 0.8 },
  'night-landing.jpg': { of: 'airfield-at-dawn.jpg', hue: 200, brightness: 0.6 },
  'fly-in-01.jpg': { of: 'above-the-clouds.jpg', hue: 20 },
  'fly-in-02.jpg': { of: 'airfield-at-dawn.jpg', hue: 20 },
  'fly-in-03.jpg': { of: 'red-hangar.jpg', hue: 20 },
  'cover-draft-a.jpg': { of: 'airfield-at-dawn.jpg', hue: 340 },
  'cover-draft-b.jpg': { of: 'above-the-clouds.jpg', hue: 340 },
  'cover-draft-c.jpg': { of: 'charger-at-dusk.jpg', hue: 300 },
  'IMG_2041.jpg': { of: 'above-the-clouds.jpg', hue: 4 },
  'IMG_2042.jpg': { of: 'red-hangar.jpg', hue: 4 },
  'IMG_2043.jpg': { of: 'airfield-at-dawn.jpg', hue: 4 },
  'IMG_2044.jpg': { of: 'charger-at-dusk.jpg', hue: 4 },
  'IMG_2045.png': { of: 'airfield-chart.png', hue: 4 },
  'DSC_4830.jpg': { of: 'charger-at-dusk.jpg', mirrored: true, width: 900 },
  'DSC_4831.jpg': { of: 'airfield-at-dawn.jpg', hue: 15, width: 900 },
  'DSC_4832.jpg': { of: 'above-the-clouds.jpg', hue: 8, width: 900 },
  'DSC_4833.jpg': { of: 'red-hangar.jpg', mirrored: true, width: 1400 },
}

/** Puts pictures into a folder by their names: samples as they are, others made from one. */
export async function putPictures(folder: string, names: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const name of names) {
    const variant = VARIANTS[name]
    if (variant === undefined) await copyFile(join(SAMPLES, name), join(folder, name))
    else await writeFile(join(folder, name), await draw(variant))
  }
}

/** A file that is called a picture and is none. */
export async function putMisnamed(folder: string, name: string): Promise<void> {
  await writeFile(join(folder, name), '%PDF-1.7\nan invoice, saved under a picture’s name\n')
}

async function draw({ of, mirrored = false, hue = 0, brightness = 1, width }: Variant): Promise<Buffer> {
  const picture = sharp(await readFile(join(SAMPLES, of))).modulate({ hue, brightness })
  if (mirrored) picture.flop()
  if (width !== undefined) picture.resize({ width })
  return (of.endsWith('.png') ? picture.png() : picture.jpeg({ quality: 94 })).toBuffer()
}
