import { listText } from '../text/figures.ts'
import { useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { t } from 'i18next'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { inBackground } from '../bridge/in-background.ts'
import { useOpenDialogs } from '../store/open-dialogs.ts'
import { useCan } from '../store/shell-store.ts'
import { MEDIA_TYPES } from '../../shared/jobs/picture-name.ts'
import { droppedFiles } from './dropped-files.ts'
import { choiceName, inCardOrder, useRecipes } from '../recipe/recipe-choice.ts'
import { RecipeSummary } from '../recipe/recipe-summary.tsx'
import { takeFiles } from '../intake/take-files.ts'
import './drop-target.css'
import { isTypedIn } from '../parts/use-shortcut.ts'

/** Shown while files are dragged over the window: says what a drop will do, and offers the recipes. Takes what is pasted, too. */
export function DropTarget() {
  const namesPaths = useCan('dropPaths')
  const uploads = useCan('upload')
  const count = useFileDrag(namesPaths || uploads)
  const topTitle = useOpenDialogs(({ open }) => open.at(-1)?.id ?? '')
  const dialog = document.getElementById(topTitle)?.closest('dialog') ?? null
  const filesOf = namesPaths ? filesWithPaths : droppedFiles
  usePaste(namesPaths || uploads ? filesOf : null)
  if (count === null) return null
  const take = (transfer: DataTransfer, recipe: UiRecipe | null) => {
    const files = filesOf(transfer)
    inBackground(() => files.then((given) => takeFiles(given, recipe)))
  }
  const sheet = <DropSheet count={count} onDrop={take} />
  // What is outside of a modal dialog gets no drop.
  return dialog === null ? sheet : createPortal(sheet, dialog)
}

const filesWithPaths = ({ files }: DataTransfer): Promise<File[]> => Promise.resolve([...files])

function DropSheet(given: { count: DragCount; onDrop: (transfer: DataTransfer, recipe: UiRecipe | null) => void }) {
  const recipes = inCardOrder(useRecipes())
  // A drop in the middle of the window means the default one.
  const usual = recipes.findIndex(({ id }) => id === null)
  const [over, setOver] = useState(usual)
  const chosen = recipes[over] ?? recipes[usual]
  const what = useDragWords(given.count)
  // At once, because a drop may follow at once.
  const enter = (n: number) => flushSync(() => setOver(n))
  return (
    <div
      className="drop"
      role="status"
      onDrop={(event) => given.onDrop(event.dataTransfer, chosen?.id == null ? null : chosen.recipe)}
    >
      <p className="drop-what">
        {t('intake:drop.process', { what, recipe: chosen === undefined ? '' : choiceName(chosen.recipe) })}
      </p>
      <p className="secondary">{t('intake:drop.targets')}</p>
      <ul className="drop-recipes">
        {recipes.map(({ id, recipe }, n) => (
          <li key={id ?? ''} className={n === over ? 'card over' : 'card'} onDragEnter={() => enter(n)}>
            <span className="card-name ellipsis" dir="auto">
              {choiceName(recipe)}
            </span>
            <RecipeSummary recipe={recipe} />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface DragCount {
  pictures: number
  /** Without a type: folders, and files of unknown types. */
  untyped: number
  /** Files of other types. */
  others: number
}

function countDragged(items: DataTransferItemList): DragCount {
  const count: DragCount = { pictures: 0, untyped: 0, others: 0 }
  for (const { kind, type } of items) {
    if (kind !== 'file') continue
    if (MEDIA_TYPES.includes(type)) count.pictures += 1
    else if (type === '') count.untyped += 1
    else count.others += 1
  }
  return count
}

/** "34 pictures and 2 folders", as far as the browser reveals it. */
function useDragWords({ pictures, untyped, others }: DragCount): string {
  const parts = [
    pictures > 0 ? t('jobs:count', { count: pictures }) : null,
    untyped > 0 ? t('intake:drop.folders', { count: untyped }) : null,
    others > 0 && pictures + untyped === 0 ? t('intake:drop.files', { count: others }) : null,
  ].filter((part) => part !== null)
  return listText(parts, 'conjunction')
}

/** What is being dragged over the window. Keeps the browser from opening dropped files, and ignores drags that began in the page. */
function useFileDrag(takesFiles: boolean): DragCount | null {
  const [count, setCount] = useState<DragCount | null>(null)
  useEffect(() => {
    const gone = new AbortController()
    const { signal } = gone
    let isOwn = false
    addEventListener('dragstart', () => (isOwn = true), { signal, capture: true })
    // None of these is fired during a drag; a drag that the system takes over ends without `dragend`.
    for (const type of ['dragend', 'pointermove', 'pointerdown'] as const)
      addEventListener(type, () => (isOwn = false), { signal, capture: true })
    const accepts = () => takesFiles && !isOwn
    addEventListener('dragover', (event) => onDragOver(event, accepts(), setCount), { signal })
    addEventListener('dragleave', (event) => event.relatedTarget === null && setCount(null), { signal })
    addEventListener(
      'drop',
      (event) => {
        if (hasFiles(event)) event.preventDefault()
        setCount(null)
      },
      { signal },
    )
    return () => gone.abort()
  }, [takesFiles])
  return count
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

function onDragOver(
  event: DragEvent,
  accepts: boolean,
  update: (set: (now: DragCount | null) => DragCount | null) => void,
) {
  if (event.dataTransfer === null || !hasFiles(event)) return
  event.preventDefault()
  event.dataTransfer.dropEffect = accepts ? 'copy' : 'none'
  const counted = accepts ? countDragged(event.dataTransfer.items) : null
  update((now) => (JSON.stringify(now) === JSON.stringify(counted) ? now : counted))
}

/** Takes files that are pasted anywhere but in a text field. `filesOf` is called in the event itself. */
function usePaste(filesOf: ((transfer: DataTransfer) => Promise<File[]>) | null): void {
  useEffect(() => {
    if (filesOf === null) return
    const paste = (event: ClipboardEvent) => {
      const { clipboardData, target, defaultPrevented } = event
      if (clipboardData === null || clipboardData.files.length === 0 || defaultPrevented) return
      if (isTypedIn(target)) return
      event.preventDefault()
      const files = filesOf(clipboardData)
      inBackground(() => files.then((given) => takeFiles(given)))
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [filesOf])
}
