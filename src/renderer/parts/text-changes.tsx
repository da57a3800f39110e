import { Fragment } from 'react'
import { t } from 'i18next'
import { straightText } from '../../shared/text/safe-characters.ts'
import { FileName } from './file-name.tsx'
import './text-changes.css'

export interface TextChange {
  id: string
  name: string
  languageCode: string
  changes: readonly { before: string; after: string }[]
}

/** Texts of pictures before and after a change: the first `most`, and how many more. The texts about edits have to be loaded. */
export function TextChanges({ list, most }: { list: readonly TextChange[]; most: number }) {
  return (
    <>
      <ul className="text-changes">
        {list.slice(0, most).map(({ id, name, languageCode, changes }) => (
          <li key={`${id} ${languageCode}`}>
            <div className="text-changes-name caption">
              <FileName name={name} />
              <span>{languageCode}</span>
            </div>
            {changes.map(({ before, after }, n) => (
              <Fragment key={n}>
                {before === '' ? null : (
                  <del lang={languageCode} dir="auto">
                    {straightText(before)}
                  </del>
                )}
                <ins lang={languageCode} dir="auto">
                  {straightText(after)}
                </ins>
              </Fragment>
            ))}
          </li>
        ))}
      </ul>
      {list.length > most ? <p className="caption">{t('common:andMore', { count: list.length - most })}</p> : null}
    </>
  )
}
