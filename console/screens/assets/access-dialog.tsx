import { Dialog } from '@cloudflare/kumo/components/dialog'
import type { Asset, AssetAccess } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { setAssetAccess } from '../../api/uploads/assets.ts'
import { cloudText } from '../../text/cloud.en.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { FormFooter } from '../../ui/controls/form-footer.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'

const ACCESS_KINDS = ['public', 'members', 'product'] as const satisfies AssetAccess['kind'][]

export function AccessDialog(props: { projectId: string; asset: Asset; onClose: () => void }) {
  const { projectId, asset, onClose } = props
  const client = useQueryClient()
  const [kind, setKind] = useState(asset.access.kind)
  const [productId, setProductId] = useState(asset.access.kind === 'product' ? asset.access.productId : '')
  const [isMissing, setMissing] = useState(false)
  const product = useRef<HTMLInputElement>(null)
  const save = useMutation({
    mutationFn: (access: AssetAccess) => setAssetAccess(projectId, asset.path, access),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.assets(projectId) }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const lacksProduct = kind === 'product' && productId.trim() === ''
    setMissing(lacksProduct)
    if (lacksProduct) product.current?.focus()
    else if (!save.isPending)
      save.mutate(kind === 'product' ? { kind, productId: productId.trim() } : { kind }, {
        onSuccess: onClose,
      })
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog size="base" className="w-full p-6">
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">
            {cloudText.assets.accessTitle}
          </Dialog.Title>
          <Dialog.Description className="break-all text-kumo-subtle">{asset.path}</Dialog.Description>
          {save.isError && <FailureNote title={cloudText.assets.accessFailed} error={save.error} takeFocus />}
          <fieldset className="space-y-1">
            <legend className="sr-only">{cloudText.assets.accessTitle}</legend>
            {ACCESS_KINDS.map((choice) => (
              <label
                key={choice}
                className="flex cursor-pointer gap-3 rounded-lg px-2 py-2 hover:bg-kumo-tint"
              >
                <input
                  type="radio"
                  name="access"
                  className="mt-1 size-4"
                  checked={kind === choice}
                  onChange={() => setKind(choice)}
                />
                <span>
                  <span className="block font-medium text-kumo-strong">
                    {cloudText.assets.accessKinds[choice]}
                  </span>
                  <span className="block text-[13px] text-kumo-subtle">
                    {cloudText.assets.accessHints[choice]}
                  </span>
                </span>
              </label>
            ))}
          </fieldset>
          {kind === 'product' && (
            <TextField
              ref={product}
              label={cloudText.assets.productId}
              value={productId}
              autoComplete="off"
              {...(isMissing && { error: cloudText.assets.productMissing })}
              onChange={(event) => setProductId(event.target.value)}
            />
          )}
          <FormFooter submit={cloudText.assets.accessSave} busy={save.isPending} onClose={onClose} />
        </form>
      </Dialog>
    </Dialog.Root>
  )
}
