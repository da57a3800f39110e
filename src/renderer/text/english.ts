import common from '../../shared/text/en/common.json' with { type: 'json' }
import detail from '../../shared/text/en/detail.json' with { type: 'json' }
import folders from '../../shared/text/en/folders.json' with { type: 'json' }
import frame from '../../shared/text/en/frame.json' with { type: 'json' }
import intake from '../../shared/text/en/intake.json' with { type: 'json' }
import jobs from '../../shared/text/en/jobs.json' with { type: 'json' }
import reasons from '../../shared/text/en/reasons.json' with { type: 'json' }
import recipe from '../../shared/text/en/recipe.json' with { type: 'json' }
import sentences from '../../shared/text/en/sentences.json' with { type: 'json' }
import settings from '../../shared/text/en/settings.json' with { type: 'json' }

/** The words of the page as the code was written with them; every other language has the same keys. */
export const english = {
  common,
  detail,
  folders,
  frame,
  intake,
  jobs,
  reasons,
  recipe,
  sentences,
  settings,
}
