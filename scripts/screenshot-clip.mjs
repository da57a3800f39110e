/** A short clip of a folder being watched, in real frames of the window: docs/screenshots/watched-folder.webp. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { browseTo, button, dialog, line, place, useService, visible } from '../test/e2e/by-hand.ts'
import { putPictures } from '../test/e2e/scene-pictures.ts'
import { isDrawn } from './screenshot-views.mjs'

export const CLIP = 'watched-folder'
/** Of a clip that plays as fast as it was filmed on a fast computer. */
const FRAME_MS = 160
/** A frame that does not change stands no longer than this; one to be read, this long, and the last one twice. */
const MOST_MS = 480
const READ_MS = 1600
const SIZE = { width: 1120, height: 700 }
const SHOWN_WIDTH = 840

const THERE = ['airfield-at-dawn.jpg', 'red-hangar.jpg']
const COMING = ['DSC_4830.jpg', 'DSC_4832.jpg', 'apron-in-the-evening.jpg', 'DSC_4833.jpg']

/** Films in a fresh app, with a service at this address, and resolves to the bytes of an animated WebP. */
export async function filmWatchedFolder(world, address) {
  const { page, pictures } = world
  const website = path.join(pictures, 'Website')
  await mkdir(website)
  await putPictures(website, THERE)
  await page.setViewportSize(SIZE)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await useService(world, address)

  const film = new Film(page)
  await place(page, 'Folders').click()
  const watch = await visible(button(page, 'Watch a folder'))
  await film.still()
  await watch.click()
  await (await visible(dialog(page).getByRole('option', { name: 'Pictures' }))).dblclick()
  await browseTo(page, website)
  await visible(dialog(page).getByText(/credits/))
  await film.still()
  await button(page, 'Watch this folder').click()
  await dialog(page).waitFor({ state: 'detached' })
  await place(page, 'Pictures').click()
  await film.while(() => areDone(page, THERE))
  for (const name of COMING) {
    await putPictures(website, [name])
    await film.while(() => visible(line(page, name)))
  }
  await film.while(() => areDone(page, COMING))
  await film.still()
  await line(page, COMING.at(-1)).click()
  await visible(page.getByRole('textbox', { name: 'English' }))
  await page.mouse.move(0, 0)
  await film.still()
  return film.webp()
}

async function areDone(page, names) {
  for (const name of names) await visible(line(page, name).filter({ hasText: 'Done' }))
}

/** Frames of a page, each once, with how long it stands. */
class Film {
  #page
  /** @type {{ png: Buffer, delayMs: number }[]} */
  #frames = []

  constructor(page) {
    this.#page = page
  }

  /** Films until what is waited for has happened. */
  async while(wait) {
    let isOver = false
    const over = wait().finally(() => (isOver = true))
    while (!isOver) await this.#take()
    await over
    await this.#take()
  }

  /** What a person has to read before it goes on. */
  async still() {
    await isDrawn(this.#page)
    await this.#take()
    this.#frames.at(-1).delayMs = READ_MS
  }

  async #take() {
    const png = await this.#page.screenshot({ animations: 'disabled' })
    const last = this.#frames.at(-1)
    if (last?.png.equals(png)) last.delayMs = Math.max(last.delayMs, Math.min(MOST_MS, last.delayMs + FRAME_MS))
    else this.#frames.push({ png, delayMs: FRAME_MS })
  }

  async webp() {
    const small = await Promise.all(
      this.#frames.map(({ png }) => sharp(png).resize({ width: SHOWN_WIDTH }).removeAlpha().png().toBuffer()),
    )
    const delay = this.#frames.map(({ delayMs }) => delayMs)
    delay[delay.length - 1] = 2 * READ_MS
    return sharp(small, { join: { animated: true } })
      .webp({ lossless: true, effort: 4, minSize: true, loop: 0, delay })
      .toBuffer()
  }
}

export async function writeClip(world, address, file, mostBytes) {
  const bytes = await filmWatchedFolder(world, address)
  if (bytes.length > mostBytes) throw new Error(`${file} has ${bytes.length} bytes, more than ${mostBytes}`)
  await writeFile(file, bytes)
  return bytes.length
}
