import type { ExportProfile } from '../contract/texts.ts'
import { csvTable } from '../text/csv-cell.ts'
import { asciiLatin } from '../text/latin-letters.ts'
import { altText, plainAddress, type MarkupSource } from './markup.ts'

/** A picture and the product that it shows, which has the name of the folder that it lies in. */
interface ShownProduct {
  job: MarkupSource
  product: string
}

/** Characters of an alt text that are taken, where there is a limit. */
export const MAX_PROFILE_CHARS: Partial<Record<ExportProfile, number>> = { shopify: 512 }

/**
 * The table for an import, in one language; each job needs an `addressOf`. `wordpress`: an address and an alt text a line. `shopify`: the
 * columns of its product table that are about images. `woocommerce`: all images of a product in one cell: `address ! alt : text`, separated
 * by `|`.
 */
export function profileTable(profile: ExportProfile, pictures: readonly ShownProduct[], language: string): string {
  switch (profile) {
    case 'wordpress':
      return forImport([
        ['image_url', 'alt_text'],
        ...pictures.map(({ job }) => [plainAddress(job), altText(job, language)]),
      ])
    case 'shopify':
      return forImport([
        ['Handle', 'Image Src', 'Image Alt Text'],
        ...pictures.map(({ job, product }) => [
          productKey(profile, product),
          plainAddress(job),
          altText(job, language),
        ]),
      ])
    case 'woocommerce':
      return forImport([
        ['SKU', 'Images'],
        ...[...Map.groupBy(pictures, ({ product }) => product)].map(([product, shown]) => [
          product,
          shown.map(({ job }) => `${plainAddress(job)} ! alt : ${unseparated(altText(job, language))}`).join(' | '),
        ]),
      ])
  }
}

/** An importer takes each cell as it is. */
const forImport = (lines: string[][]) => csvTable(lines, { guard: false })

/** What stands for a product in the table; empty where its name has nothing that can. */
export function productKey(profile: ExportProfile, product: string): string {
  if (profile !== 'shopify') return product
  // Handles are parts of addresses: letters without accents, digits and hyphens. Shopify leaves letters of other scripts as they are.
  return asciiLatin(product)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

/** Without the signs that separate pictures and members of a picture. */
function unseparated(text: string): string {
  return text.replaceAll('|', '/').replace(/(^|\s)!(?=\s|$)/g, '!')
}
