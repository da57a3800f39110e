import { ImageOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { ask } from '../../../store/bridge.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { rowCache, useJobs, useRow } from '../../../store/jobs-store.ts'
import { useTextWork } from '../../../store/text-work.ts'
import { showDetail, pictureAt } from '../list-moves.ts'
import { pictureAddress } from './picture-address.ts'

const AROUND = 12

/** The pictures before and after this one. For the pointer alone: keys and buttons go to the next without it. */
export function Filmstrip({ id }: { id: string }) {
  // The list changes in place.
  useJobs((state) => state.version)
  useTextWork(({ review }) => review)
  const strip = useRef<HTMLDivElement>(null)
  const ids = Array.from({ length: 2 * AROUND + 1 }, (_, n) => pictureAt(id, n - AROUND)).filter((one) => one !== null)
  useRows(ids)
  useEffect(() => {
    const here = strip.current?.querySelector<HTMLElement>('.here')
    if (strip.current === null || here == null) return
    strip.current.scrollLeft = here.offsetLeft - (strip.current.clientWidth - here.offsetWidth) / 2
  })
  if (ids.length < 2) return null
  return (
    <div ref={strip} className="filmstrip" aria-hidden onMouseDown={(event) => event.preventDefault()}>
      {ids.map((one) => (
        <Frame key={one} id={one} isHere={one === id} />
      ))}
    </div>
  )
}

/** Pictures under review may be far apart in the list, which reads only what is near. */
function useRows(ids: readonly string[]): void {
  const lacking = ids.filter((id) => rowCache.get(id) === null).join()
  useEffect(() => {
    if (lacking === '') return
    inBackground(async () => {
      const answer = await ask('jobs.rows', { ids: lacking.split(',') })
      if (answer.ok) rowCache.put(answer.value.rows)
    })
  }, [lacking])
}

function Frame({ id, isHere }: { id: string; isHere: boolean }) {
  const row = useRow(id)
  const [isLacking, setLacking] = useState(false)
  return (
    <button
      type="button"
      className={isHere ? 'filmstrip-frame here' : 'filmstrip-frame'}
      tabIndex={-1}
      title={straightText(row?.name ?? '')}
      onClick={() => showDetail(id)}
    >
      {row === null ? null : isLacking ? (
        <ImageOff size={14} />
      ) : (
        <img src={pictureAddress(row, 'thumb')} alt="" decoding="async" onError={() => setLacking(true)} />
      )}
    </button>
  )
}
