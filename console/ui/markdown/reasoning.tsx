import { GrowingText } from './growing-text.tsx'

/** The reasoning of a model, folded, because it is long and rarely read. */
export function Reasoning({ label, words }: { label: string; words: string }) {
  return (
    <details className="text-[13px] text-kumo-subtle">
      <summary className="w-fit cursor-pointer rounded-sm py-0.5">{label}</summary>
      <GrowingText words={words} className="mt-1 border-l-2 border-kumo-line pl-3" />
    </details>
  )
}
