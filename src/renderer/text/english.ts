import { chargers } from '../../shared/text/en/chargers.ts'
import { common } from '../../shared/text/en/common.ts'
import { credits } from '../../shared/text/en/credits.ts'
import { detail } from '../../shared/text/en/detail.ts'
import { folders } from '../../shared/text/en/folders.ts'
import { frame } from '../../shared/text/en/frame.ts'
import { intake } from '../../shared/text/en/intake.ts'
import { jobs } from '../../shared/text/en/jobs.ts'
import { reasons } from '../../shared/text/en/reasons.ts'
import { recipe } from '../../shared/text/en/recipe.ts'
import { settings } from '../../shared/text/en/settings.ts'

export const english = {
  ...{ common, frame, jobs, detail, intake, folders, recipe, credits, chargers, settings, reasons },
}
