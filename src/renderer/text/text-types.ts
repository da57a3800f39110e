import type chargers from '../../shared/text/en/chargers.json'
import type common from '../../shared/text/en/common.json'
import type credits from '../../shared/text/en/credits.json'
import type detail from '../../shared/text/en/detail.json'
import type edits from '../../shared/text/en/edits.json'
import type folders from '../../shared/text/en/folders.json'
import type frame from '../../shared/text/en/frame.json'
import type intake from '../../shared/text/en/intake.json'
import type jobs from '../../shared/text/en/jobs.json'
import type reasons from '../../shared/text/en/reasons.json'
import type recipe from '../../shared/text/en/recipe.json'
import type sentences from '../../shared/text/en/sentences.json'
import type settings from '../../shared/text/en/settings.json'
import type signIn from '../../shared/text/en/signIn.json'

/** The catalogues of the page. Every language has the same keys as English, which a test checks. */
export interface Texts {
  chargers: typeof chargers
  common: typeof common
  credits: typeof credits
  detail: typeof detail
  edits: typeof edits
  folders: typeof folders
  frame: typeof frame
  intake: typeof intake
  jobs: typeof jobs
  reasons: typeof reasons
  recipe: typeof recipe
  sentences: typeof sentences
  settings: typeof settings
  signIn: typeof signIn
}
