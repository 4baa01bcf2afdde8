-- Checks in Neovim what `sluice lsp` answers about the open kernel; `run` starts it.

local path = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/../../editors/neovim/sluice.lua'
local folder = vim.fn.expand('%:p:h')
local failed = false

local function check(name, is_right, shown)
  io.stdout:write((is_right and 'ok      ' or 'FAILED  ') .. name .. ': ' .. (tostring(shown):match('[^\n]+') or '') .. '\n')
  failed = failed or not is_right
end

local function wait(is_done)
  return vim.wait(10000, is_done, 20)
end

local function ask(method, position, more)
  local params = vim.tbl_extend('force', {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = position,
  }, more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 10000) or {}
  for _, answer in pairs(answers) do
    return answer.result
  end
end

local function diagnostics()
  return vim.diagnostic.get(0)
end

local function run()
  dofile(path).setup({ command = { vim.env.SLUICE, 'lsp' } })
  vim.cmd('edit')
  check('attached', wait(function()
    return next(vim.lsp.buf_get_clients(0)) ~= nil
  end), vim.bo.filetype)

  local hover = ask('textDocument/hover', { line = 6, character = 12 })
  check('hover', hover and hover.contents.value:find('`arith.addi`', 1, true), hover and hover.contents.value)
  -- The configuration beside the kernel has a fault.
  check('compile', wait(function()
    return #diagnostics() > 0
  end), diagnostics()[1] and diagnostics()[1].message)

  vim.cmd('edit ' .. folder .. '/kernel.yaml')
  check('configuration', wait(function()
    return #diagnostics() > 0
  end), diagnostics()[1] and diagnostics()[1].message)
  local items = ask('textDocument/completion', { line = 1, character = 8 })
  check('keys', items and #items > 5, items and items[1] and items[1].label)
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'loops: {row: {unroll: 1}}' })
  vim.cmd('silent write')
  check('no fault', wait(function()
    return #diagnostics() == 0
  end), #diagnostics() .. ' diagnostics')

  vim.cmd('edit ' .. folder .. '/kernel.mlir')
  local hints = {}
  wait(function()
    hints = ask('textDocument/inlayHint', nil, {
      range = { start = { line = 0, character = 0 }, ['end'] = { line = 99, character = 0 } },
    }) or {}
    return #hints > 0
  end)
  check('hints', hints[1] and hints[1].label:find('^II 1, 16 iterations'), hints[1] and hints[1].label)
  local lenses = ask('textDocument/codeLens', nil)
  check('lenses', lenses and lenses[1] and lenses[1].command.title:find('latency'), lenses and lenses[1] and lenses[1].command.title)

  vim.api.nvim_buf_set_lines(0, 6, 7, false, { '    %sum = arith.adi %a, %b : i32' })
  check('diagnostics', wait(function()
    return #diagnostics() > 0 and diagnostics()[1].message:find('arith.adi', 1, true)
  end), diagnostics()[1] and diagnostics()[1].message)
  items = ask('textDocument/completion', { line = 6, character = 19 })
  check('completion', items and #items > 0, items and items[1] and items[1].label)
  vim.api.nvim_buf_set_lines(0, 6, 7, false, { '        %sum = arith.addi %a, %b : i32' })
  vim.lsp.buf.formatting_sync(nil, 10000)
  local line = vim.api.nvim_buf_get_lines(0, 6, 7, false)[1]
  check('formatting', line == '    %sum = arith.addi %a, %b : i32', line)
end

local is_over, why = pcall(run)
if not is_over then
  check('script', false, why)
end
vim.cmd(failed and 'cquit!' or 'qall!')
