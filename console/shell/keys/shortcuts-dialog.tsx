import { Dialog } from '@cloudflare/kumo/components/dialog'
import { XIcon } from '@phosphor-icons/react'
import { Fragment, useState } from 'react'
import { shortcutText } from '../../text/shortcuts.en.ts'
import { isAppleKeyboard, keyLabels } from './key-labels.ts'
import { setSingleKeys, singleKeysEnabled } from './single-keys.ts'
import { SHORTCUTS, type ShortcutContext } from './shortcuts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { declaredKeys } from '../../lib/fields.ts'

const SHORTCUT_CONTEXTS = declaredKeys(shortcutText.where)

/** The list of all shortcuts, generated from the table that binds them. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [act, setAct] = useState(singleKeysEnabled)
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog
        size="xl"
        className="flex max-h-[86dvh] w-full flex-col p-0 max-sm:top-auto max-sm:bottom-0 max-sm:max-w-none max-sm:translate-y-0 max-sm:rounded-b-none"
      >
        <div className="flex shrink-0 items-center justify-between gap-4 py-4 pr-4 pl-6">
          <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">
            {shortcutText.title}
          </Dialog.Title>
          <Button
            variant="ghost"
            shape="square"
            aria-label={shortcutText.close}
            icon={<XIcon />}
            onClick={onClose}
          />
        </div>
        <div
          // The list may be longer than the screen: it is focusable, so that the arrow keys can scroll it.
          tabIndex={0}
          role="region"
          aria-label={shortcutText.title}
          className="grid min-h-0 gap-x-10 gap-y-6 overflow-y-auto px-6 pb-6 -outline-offset-2 sm:grid-cols-2"
        >
          <div className="space-y-6">
            <ContextShortcuts context="anywhere" />
            <ContextShortcuts context="work" />
          </div>
          <div className="space-y-6">
            {SHORTCUT_CONTEXTS.filter((context) => context !== 'anywhere' && context !== 'work').map(
              (context) => (
                <ContextShortcuts key={context} context={context} />
              ),
            )}
          </div>
        </div>
        <div className="shrink-0 border-t border-kumo-line px-6 py-4">
          <label className="flex min-h-6 cursor-pointer items-start gap-2.5 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              className="mt-0.5 size-4"
              checked={act}
              aria-describedby="letters-hint"
              onChange={(event) => {
                setAct(event.target.checked)
                setSingleKeys(event.target.checked)
              }}
            />
            <span>
              <span className="block font-medium">{shortcutText.letters}</span>
              <span id="letters-hint" className="block text-[13px] text-kumo-subtle">
                {shortcutText.lettersHint}
              </span>
            </span>
          </label>
        </div>
      </Dialog>
    </Dialog.Root>
  )
}

function ContextShortcuts({ context }: { context: ShortcutContext }) {
  return (
    <section>
      <h3 className="mb-1.5 text-xs font-medium text-kumo-subtle">{shortcutText.where[context]}</h3>
      <dl>
        {SHORTCUTS.filter(({ where }) => where === context).map(({ id, keys, words }) => (
          <div
            key={id}
            className="flex items-center justify-between gap-4 border-b border-kumo-hairline py-1.5 last:border-0"
          >
            <dt>{words}</dt>
            <dd className="shrink-0">
              <KeyCombinations keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function KeyCombinations({ keys }: { keys: string }) {
  const ways = keyLabels(keys, isAppleKeyboard())
  return (
    <span className="inline-flex items-center gap-1 text-xs text-kumo-subtle">
      {ways.map((steps, way) => (
        <Fragment key={way}>
          {way > 0 && <span>{shortcutText.or}</span>}
          {steps.map((held, step) => (
            <Fragment key={step}>
              {step > 0 && <span>{shortcutText.next}</span>}
              {held.map((key) => (
                <kbd
                  key={key}
                  className="grid min-h-6 min-w-6 place-items-center rounded-md bg-kumo-base px-1.5 font-sans text-xs font-medium text-kumo-default shadow-xs ring-1 ring-kumo-line"
                >
                  {key}
                </kbd>
              ))}
            </Fragment>
          ))}
        </Fragment>
      ))}
    </span>
  )
}
