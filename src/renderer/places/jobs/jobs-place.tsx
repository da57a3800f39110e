import { FolderOpen, ImagePlus, Plus, Upload } from 'lucide-react'
import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { t } from 'i18next'
import { PlaceHeader } from '../../parts/place-header.tsx'
import { chooseFolder, choosePictures } from '../../intake/intake-commands.ts'
import { isFiltered, NO_FILTER } from '../../store/jobs-filter.ts'
import { openJobs, useJobs, filterJobs } from '../../store/jobs-store.ts'
import { useShell } from '../../store/shell-store.ts'
import { useTextWork } from '../../store/text-work.ts'
import { useView } from '../../store/view-store.ts'
import { withTexts } from '../../text/start-texts.ts'
import { Button } from '../../parts/button.tsx'
import { Menu } from '../../parts/menu.tsx'
import { useQuestion } from './ask-first.ts'
import { EmptyJobs } from './empty-jobs.tsx'
import { JobChips } from './job-chips.tsx'
import { JobsList } from './jobs-list.tsx'
import { JobsTools } from './jobs-tools.tsx'
import { focusList } from './list-moves.ts'
import { SelectionBar } from './selection-bar.tsx'

import './jobs.css'

export default function JobsPlace() {
  // Before the list is opened, or it would be read twice.
  useFilterFromElsewhere()
  useEffect(openJobs, [])
  const hasJobs = useShell(({ state }) => Object.values(state?.counts ?? {}).some((count) => count > 0))
  const isFilteredNow = useJobs(({ filter }) => isFiltered(filter))
  const isReading = useShell(({ state }) => state?.reading != null)
  const isShown = hasJobs || isFilteredNow || isReading
  const openJob = useView((view) => view.openJob)
  useFocusOfList(openJob !== null || !isShown)
  return (
    <section className="place jobs">
      <div className={openJob === null ? 'jobs-under' : 'jobs-under covered'} inert={openJob !== null}>
        <PlaceHeader title={t('common:places.jobs')}>
          {isShown ? (
            <>
              <JobsTools />
              <AddMenu />
            </>
          ) : null}
        </PlaceHeader>
        {isShown ? (
          <div className="jobs-body">
            <JobChips />
            <div className="jobs-main">
              <JobsList />
              <SelectionBar />
            </div>
          </div>
        ) : (
          <EmptyJobs />
        )}
      </div>
      <Suspense fallback={null}>{openJob === null ? null : <Stage id={openJob} />}</Suspense>
      <AskFirst />
      <TextWork />
    </section>
  )
}

/** Focuses the list when nothing covers it any more, and when it shows its first pictures. */
function useFocusOfList(isCovered: boolean): void {
  const wasCovered = useRef(false)
  useLayoutEffect(() => {
    if (wasCovered.current && !isCovered && document.activeElement === document.body) focusList()
    wasCovered.current = isCovered
  }, [isCovered])
}

const Stage = lazy(async () => ({ default: (await import('./stage/stage.tsx')).Stage }))
const ImportDialog = lazy(() => withTexts(import('./texts/import-dialog.tsx'), 'edits'))
const ExportDialog = lazy(() => withTexts(import('./texts/export-dialog.tsx'), 'edits'))

const QuestionDialog = lazy(() => import('./question-dialog.tsx'))

function AskFirst() {
  const question = useQuestion((state) => state.question)
  return <Suspense fallback={null}>{question === null ? null : <QuestionDialog question={question} />}</Suspense>
}

function TextWork() {
  const isImporting = useTextWork(({ importing }) => importing !== null)
  const isExporting = useTextWork(({ exporting }) => exporting !== null)
  return (
    <Suspense fallback={null}>
      {isImporting ? <ImportDialog /> : null}
      {isExporting ? <ExportDialog /> : null}
    </Suspense>
  )
}

function AddMenu() {
  return (
    <Menu
      items={[
        {
          label: t('common:choosePictures'),
          icon: <ImagePlus size={14} aria-hidden />,
          onSelect: () => choosePictures(),
        },
        {
          label: t('common:chooseFolder'),
          icon: <FolderOpen size={14} aria-hidden />,
          onSelect: () => chooseFolder(),
        },
        {
          label: t('jobs:importTexts'),
          icon: <Upload size={14} aria-hidden />,
          onSelect: async () => (await import('../../store/import-texts.ts')).chooseTexts(),
        },
      ]}
    >
      <Button kind="primary">
        <Plus size={14} aria-hidden />
        {t('common:add')}
      </Button>
    </Menu>
  )
}

function useFilterFromElsewhere(): void {
  const wanted = useView(({ jobsFilter }) => jobsFilter)
  useEffect(() => {
    if (wanted === null) return
    useView.setState({ jobsFilter: null })
    filterJobs({ ...NO_FILTER, ...wanted })
  }, [wanted])
}
