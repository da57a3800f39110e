import { chargers } from '../../shared/text/de/chargers.ts'
import { common } from '../../shared/text/de/common.ts'
import { credits } from '../../shared/text/de/credits.ts'
import { detail } from '../../shared/text/de/detail.ts'
import { folders } from '../../shared/text/de/folders.ts'
import { frame } from '../../shared/text/de/frame.ts'
import { intake } from '../../shared/text/de/intake.ts'
import { jobs } from '../../shared/text/de/jobs.ts'
import { reasons } from '../../shared/text/de/reasons.ts'
import { recipe } from '../../shared/text/de/recipe.ts'
import { settings } from '../../shared/text/de/settings.ts'

export const german = {
  ...{ common, frame, jobs, detail, intake, folders, recipe, credits, chargers, settings, reasons },
}
