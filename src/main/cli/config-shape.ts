import { z } from 'zod'
import { Folder } from '../../shared/contract/folders.ts'
import { OutputPolicy, Recipe } from '../../shared/recipes/recipe.ts'
import { MOST_AIRCRAFT } from '../../shared/chargers/route/aircraft.ts'
import { SettingsChange } from '../../shared/settings/settings.ts'
import { AircraftEntry } from '../core/aircraft-entries.ts'

/*
 * The configuration as a file. It has what a person configures, and nothing that belongs to one computer or account: no keys, addresses
 * of services, ids or saved routes. Members that are absent stay as they are, at every level, so nothing has a default here; what is
 * unknown is refused, because a slip of the hand would otherwise go unnoticed.
 */

const { shape: r } = Recipe
const [beside, replace, folderOutput] = OutputPolicy.options
const [projectById, projectByName] = r.project.unwrap().options

const recipe = z
  .strictObject({
    name: r.name.describe('What the recipe is called.'),
    operation: r.operation.describe('process: compress, convert and describe; or one of them.'),
    languages: r.languages.describe(
      'Languages of the alt text, ISO 639-1; the first names the files with naming "seo" or {seo}.',
    ),
    format: r.format.describe('The format to convert to.'),
    convertOn: r.convertOn.describe('For the operation "convert": here is free and sends nothing.'),
    output: z
      .discriminatedUnion('kind', [beside.strict(), replace.strict(), folderOutput.strict()])
      .describe('Where the results go. A relative "dir" is taken from the folder of this file.'),
    naming: r.naming.describe(
      'Names of the results: "original", "seo" as the service suggests, or a template such as "web/{date:YYYY}/{seo}".',
    ),
    minSavingPercent: r.minSavingPercent.describe(
      'A compressed file is written only when it saves more than this share.',
    ),
    quality: r.quality.describe('Quality of conversion on this computer.'),
    longEdge: r.longEdge.unwrap().describe('The longer side of converted files in pixels; null keeps the size.'),
    widths: r.widths.unwrap().describe('Widths in pixels of additional narrower files for srcset.'),
    maxSizeKb: r.maxSizeKb
      .unwrap()
      .describe('The largest size of each converted file in kB of 1000 bytes, by a lower quality; null for any size.'),
    metadata: r.metadata.describe('Which metadata the results keep.'),
    project: z
      .discriminatedUnion('kind', [projectById.strict(), projectByName.strict()])
      .nullable()
      .describe('The project at the service; null for none.'),
    oversize: r.oversize.unwrap().describe('Pictures over 10 MB: refused, or a smaller copy is sent.'),
    keepLarger: r.keepLarger.unwrap().describe('Also write a converted file that is not smaller.'),
    replaceLosesExtras: r.replaceLosesExtras
      .unwrap()
      .describe('With output "replace": also originals with a gain map, depth or video that the new file lacks.'),
    embedTexts: r.embedTexts.unwrap().describe('Write the alt texts into the metadata of the results.'),
    rules: r.rules.unwrap().describe('Rules about the words of alt texts that come from the service; all of them.'),
  })
  .partial()

const { shape: f } = Folder
const folder = z.strictObject({
  path: f.path.max(4096).describe('An existing folder; a relative path is taken from the folder of this file.'),
  recipe: recipe
    .optional()
    .describe('What differs from the recipe that the folder has, or for a new one from the default recipe.'),
  include: f.include
    .optional()
    .describe('Only files that match one of these patterns, as in "*.jpg"; all without any.'),
  exclude: f.exclude.optional().describe('Patterns of what is left out, as in "drafts/".'),
  alsoTakes: f.alsoTakes.unwrap().optional().describe('Types that are taken in besides JPEG, PNG, GIF and WebP.'),
  askAbove: f.askAbove
    .unwrap()
    .optional()
    .describe('More new pictures at once than this wait for approval; 0 never asks.'),
  paused: f.paused.optional().describe('Remembered, but not watched for now.'),
})

const { shape: s } = SettingsChange
const caps = s.caps.unwrap()
const appearance = s.appearance.unwrap()
const notifications = s.notifications.unwrap()
const chargers = s.chargers.unwrap()

export const ConfigFile = z
  .strictObject({
    $schema: z.string().max(1000).optional().describe('Where an editor finds this schema; Hangar does not read it.'),
    recipe: recipe.optional().describe('The default recipe.'),
    folders: z.array(folder).max(1000).optional().describe('Watched folders. Those not listed stay as they are.'),
    caps: caps
      .strict()
      .extend({
        perDay: caps.shape.perDay.describe('Pictures sent in a day; null for no cap.'),
        perMonth: caps.shape.perMonth.describe('Pictures sent in a month; null for no cap.'),
        perFolderPerDay: caps.shape.perFolderPerDay.describe(
          'Pictures sent of each watched folder in a day; null for no cap.',
        ),
      })
      .optional(),
    notifications: notifications
      .strict()
      .extend({
        batchDone: notifications.shape.batchDone.describe('Notify when a batch is done.'),
        needsPerson: notifications.shape.needsPerson.describe('Notify when something waits for a decision.'),
      })
      .optional(),
    chargers: chargers
      .pick({ refreshMinutes: true, notifyFavourites: true })
      .extend({
        refreshMinutes: chargers.shape.refreshMinutes.describe('How often chargers are asked for; 0 only by hand.'),
        notifyFavourites: chargers.shape.notifyFavourites.describe('Notify when a favourite charger changes.'),
        aircraft: z
          .array(AircraftEntry)
          .max(MOST_AIRCRAFT)
          .optional()
          .describe('Aircraft to plan with. Those not listed stay as they are.'),
        streetTiles: chargers.shape.streetTiles
          .unwrap()
          .partial()
          .strict()
          .optional()
          .describe('The street map behind the chargers; its server learns which places are viewed.'),
      })
      .strict()
      .optional(),
    appearance: appearance.strict().optional(),
    requestsPerMinute: s.requestsPerMinute.describe('Calls that may be made with a key in a minute.'),
    retentionDays: s.retentionDays.describe('Days after which finished jobs leave the list.'),
    resendUnknownOnce: s.resendUnknownOnce.describe(
      'Resend a picture once, without asking, when its answer was lost. It may be charged twice.',
    ),
  })
  .describe('A configuration of Hangar, for "hangar config import". Absent members stay as they are.')
export type ConfigFile = z.infer<typeof ConfigFile>
export type ConfigFolder = NonNullable<ConfigFile['folders']>[number]

/** The JSON schema of a configuration, for editors. */
export function configSchema(): string {
  return `${JSON.stringify({ title: 'Hangar configuration', ...z.toJSONSchema(ConfigFile, { io: 'input' }) }, null, 2)}\n`
}
