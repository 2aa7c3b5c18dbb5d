import { CheckIcon, CopyIcon, XIcon } from '@phosphor-icons/react'
import { useEffect, useState } from 'react'
import { text } from '../../text/en.ts'
import { Button } from './button.tsx'

/** Copies a value, and shows for two seconds whether that succeeded. */
export function CopyButton({
  value,
  label,
  size = 'sm',
  words,
}: {
  value: string
  label: string
  size?: 'xs' | 'sm' | 'base'
  words?: string
}) {
  const [outcome, setOutcome] = useState<'copied' | 'notCopied' | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = setTimeout(() => setOutcome(null), 2000)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    try {
      // May throw: a page at an http address has no clipboard, and a browser may refuse access.
      await navigator.clipboard.writeText(value)
      setOutcome('copied')
    } catch {
      setOutcome('notCopied')
    }
  }
  const named = { 'aria-label': label, title: label, onClick: () => void copy() }
  const icon = COPY_ICONS[outcome ?? 'none']
  return (
    <>
      {words ? (
        <Button type="button" variant="secondary" size={size} icon={icon} {...named}>
          {words}
        </Button>
      ) : (
        <Button type="button" variant="ghost" size={size} shape="square" icon={icon} {...named} />
      )}
      <span role="status" className={outcome === 'notCopied' ? 'text-[13px] text-removed' : 'sr-only'}>
        {outcome === null ? '' : text.common[outcome]}
      </span>
    </>
  )
}

const COPY_ICONS = {
  none: <CopyIcon />,
  copied: <CheckIcon weight="bold" className="text-added" />,
  notCopied: <XIcon weight="bold" className="text-removed" />,
}
