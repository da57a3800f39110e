import type { Migration } from './migration.ts'
import { jobsAndPayments } from './01-jobs-and-payments.ts'
import { reviewsAndEdits } from './02-reviews-and-edits.ts'
import { whatSidecarsList } from './03-what-sidecars-list.ts'
import { servicesOfBatches } from './04-services-of-batches.ts'
import { textDrafts } from './05-text-drafts.ts'
import { dispatchesByService } from './06-dispatches-by-service.ts'
import { missingDownloads } from './07-missing-downloads.ts'
import { decorativePictures } from './08-decorative-pictures.ts'
import { staleTexts } from './09-stale-texts.ts'
import { sentencesAsCodes } from './10-sentences-as-codes.ts'
import { sortedLists } from './11-sorted-lists.ts'
import { fileNames } from './12-file-names.ts'
import { teamClaims } from './13-team-claims.ts'

/**
 * In the order of the versions; a new one is added at the end. Documents are JSON checked on the way in and out; the columns beside
 * them are what is searched by.
 */
export const MIGRATIONS: readonly Migration[] = [
  jobsAndPayments,
  reviewsAndEdits,
  whatSidecarsList,
  servicesOfBatches,
  textDrafts,
  dispatchesByService,
  missingDownloads,
  decorativePictures,
  staleTexts,
  sentencesAsCodes,
  sortedLists,
  fileNames,
  teamClaims,
]
