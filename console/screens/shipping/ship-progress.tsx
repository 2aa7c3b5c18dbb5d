export function ShipProgress({ hint }: { hint: string }) {
  return (
    <div role="status" className="space-y-2">
      <div className="h-1.5 overflow-hidden rounded-full bg-kumo-fill" aria-hidden="true">
        <div className="animate-ship h-full w-1/3 rounded-full bg-tide" />
      </div>
      <p className="text-[13px] text-kumo-subtle">{hint}</p>
    </div>
  )
}
