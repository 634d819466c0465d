import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GpuCluster } from '#shared/hardware/gpu-cluster.ts'
import { clusterExchange, kernelParts } from '#shared/models/cluster/cluster-step.ts'
import { resolveCluster } from '#shared/schema/cluster.ts'
import { productionDeployment } from '#shared/validation/validate-cluster.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

const cluster: GpuCluster = resolveCluster(productionDeployment().system)
const kernel = {
  ...{ name: 'kernel', count: 1, flops: 1.979e12, weightBytes: 3.35e9, cacheBytes: 0 },
  isAttention: false,
}
const messages = {
  ...{ rows: 88, topK: 8, expertParallel: 144, dispatchBytes: 7168, combineBytes: 14_336 },
}

test('a millisecond of arithmetic and one of loads are two, or one where they overlap', () => {
  expect(kernelParts(kernel, cluster, 'fp8').seconds).toBeCloseTo(2e-3, 12)
  const hiding = { ...cluster, loadsHideBehindMath: true }
  expect(kernelParts(kernel, hiding, 'fp8').seconds).toBeCloseTo(1e-3, 12)
})

test('attention computes in BF16, at half the rate', () => {
  const core = kernelParts({ ...kernel, isAttention: true }, cluster, 'fp8')
  expect(core.mathSeconds).toBeCloseTo(2e-3, 12)
})

test('a share of a peak that is reached stretches the time of that part alone', () => {
  const efficiency = { matrix: 0.5, attention: 1, hbm: 0.8, network: 1 }
  const parts = kernelParts(kernel, { ...cluster, efficiency }, 'fp8')
  expect(parts.mathSeconds).toBeCloseTo(2e-3, 12)
  expect(parts.weightSeconds).toBeCloseTo(1.25e-3, 12)
})

test('one GPU with all experts sends nothing; of 64 one row in 64 stays', () => {
  const alone = clusterExchange({ ...messages, expertParallel: 1 }, cluster)
  expect(alone).toEqual({ dispatchSeconds: 0, combineSeconds: 0, bytesPerLayer: 0 })
  const { bytesPerLayer } = clusterExchange({ ...messages, expertParallel: 64 }, cluster)
  expect(bytesPerLayer / (88 * 8 * (7168 + 14_336))).toBeCloseTo(63 / 64, 12)
})

test('of any cluster, more bandwidth or a larger share of it is never slower', () => {
  const share = fc.double({ min: 0.01, max: 0.5, noNaN: true })
  fc.assert(
    fc.property(share, share, share, (matrix, hbm, network) => {
      const slow = { ...cluster, efficiency: { matrix, attention: matrix, hbm, network } }
      const fast = {
        ...cluster,
        efficiency: {
          matrix: 2 * matrix,
          attention: 2 * matrix,
          hbm: 2 * hbm,
          network: 2 * network,
        },
      }
      const [slower, faster] = [slow, fast].map(one => kernelParts(kernel, one, 'fp8').seconds)
      expect(faster).toBeCloseTo((slower ?? 0) / 2, 9)
      const [later, sooner] = [slow, fast].map(one => clusterExchange(messages, one))
      expect(sooner?.dispatchSeconds).toBeCloseTo((later?.dispatchSeconds ?? 0) / 2, 9)
    }),
    propertyRuns(50),
  )
})
