import { FP8_SCALE } from '#shared/models/constants.ts'
import {
  bytes,
  seconds,
  type Bytes,
  type BytesPerSecond,
  type Seconds,
} from '#shared/units/quantity.ts'

/** How the elements of a token travel: bare FP8, FP8 with scales, or BF16. */
export type TokenFormat = 'fp8' | 'fp8-scaled' | 'bf16'

/**
 * Bytes of one token on its way to or from an expert.
 *
 *   s = w·e + s_h, with scales w·e + 4·⌈w / 128⌉ + s_h
 *
 * w  elements    e  bytes of an element, 1 or 2    s_h  header
 *
 * Source: block scales of arXiv 2412.19437, section 3.3 (one of 4 bytes for 128 elements).
 * Checked by: test/src-shared/models/wafer/token-message.test.ts: 7,392 and 14,336 bytes for 7,168
 */
export function tokenBytes(width: number, format: TokenFormat, header = 0): Bytes {
  const element = format === 'bf16' ? 2 : 1
  const scales =
    format === 'fp8-scaled' ? FP8_SCALE.bytes * Math.ceil(width / FP8_SCALE.elements) : 0
  return bytes(width * element + scales + header)
}

/**
 * Least time of dispatch and combine where the port of a chip is the limit.
 *
 *   t = M·k·(s_d + s_c) / β
 *
 * M  tokens of a chip    k  copies of each that leave the chip    s_d, s_c  bytes of a copy    β  port
 *
 * Source: C. Zhao et al., "Insights into DeepSeek-V3", arXiv 2505.09343, section 2.3.2.
 * Holds when: every copy leaves the chip, and nothing but the port slows it.
 * Checked by: test/src-shared/models/wafer/token-message.test.ts: 120.96 µs at 50 GB/s
 */
export const allToAllFloor = (
  tokens: number,
  copies: number,
  message: { readonly dispatch: Bytes; readonly combine: Bytes },
  port: BytesPerSecond,
): Seconds => seconds((tokens * copies * (message.dispatch + message.combine)) / port)
