import { useState } from 'react'

/** State that begins again with `initial` whenever `subject`, what it is about, changes; as `key` does for a whole component. */
export function useStateOf<Value>(subject: string, initial: Value): [Value, (value: Value) => void] {
  const [state, setState] = useState({ subject, value: initial })
  const isOfAnother = state.subject !== subject
  if (isOfAnother) setState({ subject, value: initial })
  return [isOfAnother ? initial : state.value, (value) => setState({ subject, value })]
}
