import { ImagesIcon, MagnifyingGlassIcon } from '@phosphor-icons/react'
import type { Asset } from '@slipway/sdk/client/types.gen.ts'
import { useDeferredValue, useMemo, useState } from 'react'
import { href } from '../../routes.ts'
import { cloudText } from '../../text/cloud.en.ts'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { FIELD_STYLE } from '../../ui/controls/text-field.tsx'
import { WindowedList } from '../../ui/lists/windowed-list.tsx'
import { AssetRow } from './asset-row.tsx'

const ROW_PX = 68

/** Lists all assets with a search field. Renders only the visible rows. */
export function AssetList({ projectId, assets }: { projectId: string; assets: Asset[] }) {
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim().toLowerCase())
  const found = useMemo(
    () => assets.filter(({ path, name }) => `${path}\n${name}`.toLowerCase().includes(q)),
    [assets, q],
  )
  if (assets.length === 0)
    return (
      <EmptyNote icon={<ImagesIcon />} title={cloudText.assets.empty} hint={cloudText.assets.emptyHint} />
    )
  return (
    <section aria-label={cloudText.assets.title}>
      <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p role="status" className="text-[13px] text-kumo-subtle">
          {cloudText.assets.count(found.length)}
        </p>
        <input
          type="search"
          aria-label={cloudText.assets.search}
          placeholder={cloudText.assets.search}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className={`${FIELD_STYLE} h-9 ring-kumo-line sm:w-64`}
        />
      </div>
      {assets.every(({ url }) => url === null) && (
        <p className="mb-3 text-[13px] text-kumo-subtle">
          {cloudText.assets.notServed}{' '}
          <a href={href.capability(projectId, 'assets')} className="text-kumo-link underline">
            {cloudText.assets.notServedAction}
          </a>
        </p>
      )}
      {found.length === 0 ? (
        <EmptyNote icon={<MagnifyingGlassIcon />} title={cloudText.assets.noMatch(typed.trim())} hint="" />
      ) : (
        <WindowedList items={found} rowPx={ROW_PX} keyOf={({ path }) => path}>
          {(asset) => <AssetRow projectId={projectId} asset={asset} />}
        </WindowedList>
      )}
    </section>
  )
}
