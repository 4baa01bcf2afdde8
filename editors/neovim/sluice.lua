-- Starts `sluice lsp` for kernels and their configurations. Neovim 0.7 or later; hints need 0.10.
--
-- Put this file into `lua/` of your configuration, and `require('sluice').setup()` into `init.lua`.
-- Options: `command`, the list of words that starts the server; `compile = false`, no compilation in the background.

local M = {}

-- The nearest folder around a file that has one of these names is the root.
local marks = { '.git', 'sluice.lock' }

local function root_of(file)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  local at = folder
  while true do
    for _, mark in ipairs(marks) do
      if vim.loop.fs_stat(at .. '/' .. mark) then
        return at
      end
    end
    local above = vim.fn.fnamemodify(at, ':h')
    if above == at then
      return folder
    end
    at = above
  end
end

-- Kernels, and YAML files beside kernels.
local function is_ours(file)
  local ending = file:match('%.(%w+)$')
  if ending == 'mlir' then
    return true
  end
  -- The server tells configurations from other YAML files beside kernels.
  local folder = vim.fn.fnamemodify(file, ':p:h')
  return (ending == 'yaml' or ending == 'yml') and vim.fn.glob(folder .. '/*.mlir') ~= ''
end

-- The servers by their roots.
local clients = {}

local function start(config)
  if vim.lsp.start then
    return vim.lsp.start(config)
  end
  -- Neovim 0.7 has no `vim.lsp.start`.
  local id = clients[config.root_dir] or vim.lsp.start_client(config)
  clients[config.root_dir] = id
  if id then
    vim.lsp.buf_attach_client(0, id)
  end
  return id
end

function M.setup(options)
  options = options or {}
  local group = vim.api.nvim_create_augroup('sluice', { clear = true })
  vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
    group = group,
    pattern = '*.mlir',
    callback = function()
      vim.bo.filetype = 'mlir'
      vim.bo.commentstring = '// %s'
    end,
  })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = { 'mlir', 'yaml' },
    callback = function(event)
      local file = vim.api.nvim_buf_get_name(event.buf)
      if not is_ours(file) then
        return
      end
      local root = root_of(file)
      start({
        name = 'sluice',
        cmd = options.command or { 'sluice', 'lsp' },
        root_dir = root,
        workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
        init_options = { compile = options.compile ~= false },
        on_attach = function(_, buffer)
          vim.bo[buffer].omnifunc = 'v:lua.vim.lsp.omnifunc'
          if vim.lsp.inlay_hint then
            vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
          end
        end,
      })
    end,
  })
end

return M
