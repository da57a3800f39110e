import { ImageOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { fetchRows, useJobs, useRow } from '../../../store/jobs-store.ts'
import { useTextWork } from '../../../store/text-work.ts'
import { showDetail, pictureAt } from '../list-moves.ts'
import { pictureAddress } from './picture-address.ts'

const AROUND = 12

/** The pictures before and after this one. For the pointer alone: keys and buttons go to the next without it. */
export function Filmstrip({ id }: { id: string }) {
  // The neighbours change with the list.
  useJobs((state) => state.index)
  useTextWork(({ review }) => review)
  const strip = useRef<HTMLDivElement>(null)
  const ids = Array.from({ length: 2 * AROUND + 1 }, (_, n) => pictureAt(id, n - AROUND)).filter((one) => one !== null)
  const around = ids.join()
  // Pictures under review may be far apart in the list, which reads only what is near.
  useEffect(() => fetchRows(around.split(',')), [around])
  useEffect(() => {
    const here = strip.current?.querySelector<HTMLElement>('.here')
    if (strip.current === null || here == null) return
    strip.current.scrollLeft = here.offsetLeft - (strip.current.clientWidth - here.offsetWidth) / 2
  })
  if (ids.length < 2) return null
  return (
    <div ref={strip} className="filmstrip" aria-hidden tabIndex={-1} onMouseDown={(event) => event.preventDefault()}>
      {ids.map((one) => (
        <Frame key={one} id={one} isHere={one === id} />
      ))}
    </div>
  )
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
